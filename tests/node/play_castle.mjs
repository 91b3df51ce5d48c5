// Plays the castle through `houserule host` to its end: two players and a spectator, and odds in between.
//
//     node play_castle.mjs < game.json
//
// `game.json` holds the `host`: the command that starts one, and what `begin` takes; `hidden`: values, each with the
// seats that may see it; `own`: a thing of each player; the `most` answers; and, if the host is to be killed, `killed`:
// after how many answers, and the command of the host that goes on, under rules that have changed.
// What comes out is one line of JSON: the outcome, how many answers and questions about odds there were, what has
// changed in the rules, and every message that held a value which its seat may not see.

import {spawn} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {createInterface} from 'node:readline';

const {host: first, begin, hidden, own, most, killed} = JSON.parse(readFileSync(0, 'utf8'));

/** A host as a process, with what it replies. */
function start([command, ...words]) {
  const process = spawn(command, words, {stdio: ['pipe', 'pipe', 'inherit']});
  return {process, replies: createInterface({input: process.stdout})[Symbol.asyncIterator]()};
}

let host = start(first);

/** The reply to a call. */
async function ask(call) {
  host.process.stdin.write(JSON.stringify(call) + '\n');
  const {value} = await host.replies.next();
  return JSON.parse(value);
}

/** The same, where a refusal is a mistake of this program. */
async function need(call) {
  const reply = await ask(call);
  if (!reply.ok) throw new Error(`${JSON.stringify(call)}: ${reply.error.message}`);
  return reply;
}

/** A seat: it asks as its viewer, keeps the record bit by bit, and looks for secrets in every message. */
class Seat {
  constructor(name, viewer) {
    [this.name, this.viewer, this.lines, this.cursor] = [name, viewer, [], ''];
  }

  async ask(call) {
    const reply = await ask({...call, viewer: this.viewer});
    const text = JSON.stringify(reply);
    for (const [value, names] of Object.entries(hidden))
      if (!names.includes(this.name) && text.includes(value)) leaks.push({seat: this.name, call, value});
    if (Object.keys(hidden).some(value => text.includes(value))) seen.add(this.name);
    return reply;
  }

  async catchUp() {
    const news = await this.ask({do: 'lines', since: this.cursor});
    this.lines = [...this.lines.slice(0, news.from), ...news.lines.map(line => line.shown)];
    this.cursor = news.cursor;
  }
}

const leaks = [];
const seen = new Set();
const seats = Object.keys(begin.players).map(name => new Seat(name, {player: name}));
const spectator = new Seat('spectator', 'spectator');
const everybody = [...seats, spectator];

let random = 7; // a generator of its own, so that every run is the same
const below = size => (random = (random * 48271) % 2147483647) % size;

/** An answer to a request: the default two times out of three, or any other. */
function answerTo(request) {
  if ('default' in request && below(3)) return request.default;
  if (request.kind === 'yes_no') return below(2) === 1;
  if (request.kind === 'number') return request.low + below(request.high - request.low + 1);
  if (request.kind === 'some') return {pick: [...Array(request.least).keys()]};
  return request.options ? {pick: below(request.options.length)} : request.default;
}

const counts = {answers: 0, refused: 0, odds: 0};
/** Kills the host, and goes on with its last save in another one, whose rules have changed. */
async function goOn(saved) {
  host.process.kill('SIGKILL');
  host = start(killed.host);
  const plan = await need({do: 'adopt', viewer: 'host', saved});
  for (const one of everybody) one.cursor = '';
  const reply = await need({do: 'resume', saved});
  if (reply.changed !== plan.adopted.length) throw new Error('another plan');
  return {reply, adopted: plan.adopted.map(line => line.text)};
}

let state = await need({do: 'begin', ...begin});
let adopted = [];
while (!state.over && counts.answers < most) {
  for (const seat of everybody) await seat.catchUp();
  const seat = seats.find(one => state.asked.includes(one.name));
  const {requests} = await seat.ask({do: 'requests'});
  const stranger = everybody[below(everybody.length)];
  if (stranger !== seat) {
    const refused = await stranger.ask({do: 'answer', request: requests[0].id, value: {pick: 0}});
    if (refused.ok) throw new Error(`${stranger.name} has answered for ${seat.name}`);
  }
  let reply = await seat.ask({do: 'answer', request: requests[0].id, value: answerTo(requests[0])});
  if (!reply.ok) {
    counts.refused += 1;
    reply = await seat.ask({do: 'answer', request: requests[0].id, value: requests[0].default ?? {pick: 0}});
  }
  if (!reply.ok) throw new Error(reply.error.message);
  state = reply;
  counts.answers += 1;
  if (killed && counts.answers === killed.after) {
    const {saved} = await need({do: 'save', viewer: 'host'});
    ({reply: state, adopted} = await goOn(saved));
    continue;
  }
  if (counts.answers % 20 === 0) {
    const who = own[seat.name];
    for (const one of everybody) {
      await one.ask({do: 'view'});
      await one.ask({do: 'possible'});
      await one.ask({do: 'why_not', actor: who, action: 'evacuate'});
      await one.ask({do: 'odds', rule: 'skill_roll', given: {who, difficulty: 8, stat: 5}, state: 'now'});
    }
    const now = {do: 'odds', rule: 'roll', given: {stat: 5, skill: 3, difficulty: 12}, state: 'now', viewer: 'host'};
    const {laws} = await need(now);
    const sum = laws[0].values.reduce((total, row) => total + row.float, 0);
    if (Math.abs(sum - 1) > 1e-9) throw new Error(`the chances add up to ${sum}`);
    counts.odds += 1;
  }
}
for (const seat of everybody) await seat.catchUp();
const whole = {};
for (const seat of everybody) {
  const {lines} = await seat.ask({do: 'lines'});
  whole[seat.name] = JSON.stringify(lines.map(line => line.shown)) === JSON.stringify(seat.lines);
}
const {result} = await need({do: 'result', viewer: 'host'});
const unseen = await ask({do: 'view'});
await need({do: 'quit'});
console.log(JSON.stringify({over: state.over, outcome: result?.outcome, ...counts, adopted, leaks, whole, seen: [...seen], unseen}));
