// Where somebody may begin. The build answers the first one ahead, so that its odds are there before Python is.

export const RULES = 'rules.yaml';

export const examples = [
  {
    id: 'criticals',
    title: 'D&D 5e: bend its critical hits',
    about: 'A house rule of two lines. Change 19 to 18, and see.',
    mechanic: 'attack',
    number: 'dealt',
    text: `# Try it: write 18 in place of 19, and watch the odds.
ruleset: our-table
title: D&D at our table
extends: dnd5e
changes:
  options.critical_from.default:
    set: 19
    because: Heroes should shine more often.
  options.critical.default:
    set: max_plus_roll
    because: A critical hit should never be a weak one.
`,
  },
  {
    id: 'market',
    title: 'A first rule: haggle at the market',
    about: 'A whole game of one roll, to rewrite as you like.',
    mechanic: 'haggle',
    number: 'offer',
    text: `ruleset: market
title: The night market
mechanics:
  haggle:
    title: Haggle over a price
    inputs:
      price: {type: number, from: 2, to: 12, default: 8}
      charm: {type: number, from: 0, to: 4, default: 1}
    steps:
      dice:  {roll: 2d6}
      offer: sum(dice) + charm
    outcomes:
      bargain: offer >= price + 3
      deal:    offer >= price
      no_deal: otherwise
`,
  },
  {
    id: 'pool',
    title: 'A dice pool: the best die, and sixes',
    about: 'Two readings of the same dice.',
    mechanic: 'act',
    number: 'best',
    text: `ruleset: nightwatch
title: The night watch
mechanics:
  act:
    title: Act under pressure
    inputs:
      dice: {type: number, from: 1, to: 8, default: 3}
    steps:
      pool:  {roll: (dice)d6}
      best:  highest(pool)
      sixes: count(pool where face == 6)
    outcomes:
      critical: sixes >= 2
      full:     best == 6
      partial:  best >= 4
      bad:      otherwise
`,
  },
  {
    id: 'advantage',
    title: 'Advantage: two dice, the better counts',
    about: 'Against a plain bonus, at every difficulty.',
    mechanic: 'check',
    number: 'total',
    text: `ruleset: advantage
title: Advantage or a bonus
mechanics:
  check:
    title: A check
    inputs:
      difficulty: {type: number, from: 5, to: 25, default: 14}
      bonus:      {type: number, from: 0, to: 10, default: 0}
      advantage:  {type: yes_no, default: yes}
    steps:
      thrown: {roll: (2 if advantage else 1)d20}
      total:  highest(thrown) + bonus
    outcomes:
      success: total >= difficulty
      failure: otherwise
`,
  },
  {
    id: 'exploding',
    title: 'Exploding dice: the highest face goes on',
    about: 'A die that is thrown again and added.',
    mechanic: 'strike',
    number: 'damage',
    text: `ruleset: firecrackers
title: Firecrackers
mechanics:
  strike:
    title: Strike
    inputs:
      armour: {type: number, from: 0, to: 20, default: 8}
    steps:
      dice:   {roll: 2d6, again: face == 6 and nth < 4}
      damage: max(0, sum(dice) - armour)
    outcomes:
      heavy:  damage >= 6
      light:  damage >= 1
      none:   otherwise
`,
  },
  {
    id: 'pbta',
    title: 'Powered by the Apocalypse: a great hit',
    about: 'An outcome more for two sixes.',
    mechanic: 'move',
    number: 'total',
    bundled: 'great-hit',
  },
  {
    id: 'fate',
    title: 'Fate: no ties',
    about: 'What a tie is worth to a table.',
    mechanic: '',
    number: '',
    bundled: 'no-ties',
  },
  {
    id: 'year-zero',
    title: 'Year Zero: push less',
    about: 'A house rule that comes with the game.',
    mechanic: '',
    number: '',
    bundled: 'only-the-failed-push',
  },
];

const MOST_OPTIONS = 5; // that are written out

const HEAD = `# Change a value behind "set", and watch the odds; delete what you do not change.
# The button Suggest shows what may stand at the cursor.
`;

/** A house rule over a game, which sets its first options to what they are, for somebody to change. */
export function ownRule(game, title, text) {
  const begin = `${HEAD}ruleset: our-table\ntitle: ${JSON.stringify(title)}\nextends: ${game}\n`;
  const section = /^options:\n((?: .*\n|\n)*)/m.exec(text)?.[1] ?? '';
  const changes = [...section.matchAll(/^ {2}(\w+):\n((?: {3,}.*\n|\n)*)/gm)]
    .map(([, name, inside]) => [name, /^ {4}default: *(.+)$/m.exec(inside)?.[1]])
    .filter(([, value]) => value)
    .slice(0, MOST_OPTIONS)
    .map(([name, value]) => `  options.${name}.default:\n    set: ${value}\n    because: Write here why.\n`);
  return changes.length ? `${begin}changes:\n${changes.join('')}` : begin;
}
