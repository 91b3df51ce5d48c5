// Writes the comment on a pull request, or brings the one of an earlier push up to date. Says nothing where no ruleset
// has changed, unless an earlier push did change one.
const fs = require('fs')

const MARK = '<!-- houserule: what this does to the odds -->'
const NOTHING = 'No ruleset has changed.'

module.exports = async ({github, context, file, chart}) => {
  const link = chart ? `\n[The same as a chart](${chart})\n` : ''
  const text = fs.readFileSync(file, 'utf8')
  const body = `${MARK}\n${text}${link}`
  const where = {owner: context.repo.owner, repo: context.repo.repo}
  const number = context.issue.number
  const comments = await github.paginate(github.rest.issues.listComments, {...where, issue_number: number, per_page: 100})
  const earlier = comments.find((one) => one.body && one.body.startsWith(MARK))
  if (earlier) {
    await github.rest.issues.updateComment({...where, comment_id: earlier.id, body})
  } else if (!text.includes(NOTHING)) {
    await github.rest.issues.createComment({...where, issue_number: number, body})
  }
}
