// Whether the dice of a session fell as they had to: node verify_dice.mjs COMMITMENT < REVEALED
//
// COMMITMENT is what the host told for a stream before the first throw; several are given one after the other.
// REVEALED is what the host tells afterwards: the answer of `session.reveal()` as JSON.
import {createHash, createHmac} from 'node:crypto';
import {readFileSync} from 'node:fs';

const {words, keys, throws} = JSON.parse(readFileSync(0, 'utf8'));
const told = process.argv.slice(2);
const fail = why => {
  console.log(why);
  process.exit(1);
};

for (const [stream, key] of Object.entries(keys)) {
  const hash = createHash('sha256').update(Buffer.from(key, 'hex')).digest('hex');
  if (!told.includes(hash)) fail(`the key of the ${stream} stream is not the one that was promised`);
}

// Number `place` of a stream: block n of eight numbers is HMAC-SHA-256 of "n words".
const number = (stream, place) =>
  createHmac('sha256', Buffer.from(keys[stream], 'hex'))
    .update(`${Math.floor(place / 8)} ${words}`)
    .digest()
    .readUInt32BE((place % 8) * 4);

const next = Object.fromEntries(Object.keys(keys).map(stream => [stream, 0]));
for (const {path, stream, start, dice, faces} of throws) {
  if (start !== next[stream]) fail(`${path}: ${start} numbers were taken before, not ${next[stream]}`);
  dice.forEach(({size, faces: sides}, n) => {
    let drawn;
    do drawn = number(stream, next[stream]++); // the lowest would come too often, and are drawn again
    while (drawn < 2 ** 32 % size);
    const face = sides ? sides[drawn % size] : (drawn % size) + 1;
    if (face !== faces[n]) fail(`${path}: ${face} was thrown, and ${faces[n]} was shown`);
  });
}
console.log(`${throws.length} throws fell as they had to`);
