// Every text of the page itself; what the engine says comes from the engine.

const several = (count, one, more = `${one}s`) => `${count} ${count === 1 ? one : more}`;

export const texts = {
  // The state of the engine and of the rules.
  starting: 'starting…',
  computing: 'computing…',
  sound: 'no problems',
  problems: count => several(count, 'problem'),
  warnings: count => `no problems, ${several(count, 'hint')}`,
  stopped: 'stopped: that took too long',
  failed: 'Python cannot start in this browser. A current version of Firefox, Chrome or Safari can run the page.',
  ready: 'Getting the dice ready…',
  badLink: 'This link is not whole; it may have been cut on its way. Ask for it once more, or for the file.',

  // The editor.
  editor: 'Rules in YAML; Control-Space suggests, Escape and then Tab leaves',
  editorHelp: 'Control-Space does the same. Escape and then Tab leaves the editor.',
  noSuggestion: 'Nothing to suggest here. Put the cursor at a value, at a name, or on a new line.',
  line: line => `line ${line}`,
  more: count => `and ${several(count, 'more problem')}`,
  asItIs: name => `${name} as it is`,
  readOnly: 'What your house rule changes is marked. This text cannot be changed here.',

  // The form.
  changedRules: 'Changed by your rules',
  otherRules: 'As before',
  moreInputs: (count, names) => `${count} more: ${names}`,
  less: name => `less ${name}`,
  add: name => `more ${name}`,
  noMechanics: 'There is nothing here to roll yet. A mechanic stands below “mechanics:”.',

  // The odds.
  yours: 'with your rules',
  base: name => `${name} as it is`,
  chancesOf: name => `Chances of ${name}`,
  outcome: 'Outcome',
  chance: 'Chance',
  withoutRule: 'Without your rules',
  difference: 'Difference',
  points: points => `${points} pts`,
  same: 'the same',
  tails: [
    ['exactly', 'exactly'],
    ['at_least', 'at least'],
    ['at_most', 'at most'],
  ],
  tail: 'Chances of',
  average: (mean, base) => (base === null || base === mean ? `average ${mean}` : `average ${mean} (was ${base})`),
  numberToShow: 'Number to show',
  valueOf: name => `Value of ${name}`,
  reading: (tail, value) => `${tail} ${value}: `,
  was: chance => ` (was ${chance})`,
  missing: chance => `${chance} were not followed: chains of dice that go on for long.`,
  stale: 'The text has a problem. What you see here is of the last version without one.',
  neverSound: 'These rules have a problem, so there is nothing to see yet. It stands below the rules, with its line.',
  strip: 'Show the odds',
  along: 'Along',
  alongInput: 'Input to vary',
  sweepOf: name => `Chance of each outcome along ${name}`,
  sweepLegend: 'solid: your rules; dashed: as it is',
  strategyGoal: 'Aim for the',
  goal: 'Highest or lowest',
  goals: {best: 'highest', worst: 'lowest'},
  strategyOf: 'Of what',
  pictureCopied: 'Copied',
  pictureSaved: 'Saved',
  tookTooLong: 'This takes too long here, and was stopped. Smaller inputs may do; the command houserule has no limit.',

  // Rolling.
  roll: 'Roll the dice',
  comesUp: chance => `this comes up in ${chance} of all rolls`,
  seed: seed => `seed ${seed}`,
  seedField: 'Seed (empty: a new one)',
  dieShows: (die, face) => `${die} shows ${face}`,
  countsAs: worth => `counts as ${worth}`,
  whatHappened: 'What happened',
  why: 'Why, and what would have changed it',
  seedNote: 'The same seed throws the same faces, here and in houserule roll.',
  done: 'done',

  // The rulebook.
  writingBook: 'Writing the rulebook…',
  book: 'The rulebook',

  // Scenes.
  noScenes: 'These rules have no scene to play.',
  begin: 'Begin',
  beginAgain: 'Begin again',
  undo: 'Undo',
  redo: 'Redo',
  saveGame: 'Save this game',
  openGame: 'Open a saved game',
  hidden: player => `Hand the device to ${player}`,
  hiddenNote: 'Nobody else should see what comes now.',
  iAm: player => `I am ${player}`,
  asks: (player, who) => (who ? `${player} decides for ${who}` : `${player} decides`),
  host: 'Somebody',
  answer: 'Answer',
  usual: 'usual',
  round: round => `round ${round}`,
  over: outcome => (outcome ? `It is over: ${outcome}` : 'It is over'),
  table: 'What is on the table',
  record: 'The record so far',
  before: 'Before this question',
  choose: (least, most) => (least === most ? `Choose ${most}` : `Choose ${least} to ${most}`),
  yes: 'yes',
  no: 'no',
  from: (low, high) => `from ${low} to ${high}`,

  // Sharing.
  sharesProblem: 'The rules have a problem now, and whoever opens the link will see it, but no odds.',
  copied: 'Copied',
  fits: length => `${length} characters: fits into every chat.`,
  long: length => `${length} characters: some chat programs cut links above 2,000. Send the file instead.`,

  // Beginning.
  changeIt: 'Change it: a house rule of your own',
  wholeGame: 'All its rules, to read and rewrite',
  itsRules: 'House rules that come with it',
  itsScenes: 'Scenes to play at this screen',
  ownTitle: game => `${game} at our table`,
};
