// A link that holds everything: its hash is the version of the form, a point, and what is shared.
//
// What is shared is JSON, compressed (raw DEFLATE) and written in base64 for addresses.

const VERSION = '1';
const MOST_BYTES = 200_000; // when it is unpacked: a few bytes of a link can unpack to gigabytes

/** A text that stands for a plain value. */
export async function pack(value) {
  const stream = new Blob([JSON.stringify(value)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const binary = Array.from(bytes, byte => String.fromCharCode(byte)).join('');
  return `${VERSION}.${btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
}

/** The value for which a text stands. Throws if it is no such text, is cut off, or unpacks to too much. */
export async function unpack(text) {
  const [version, code, ...rest] = text.split('.');
  if (version !== VERSION || !code || rest.length) throw new Error('this is no link of this page');
  const bytes = Uint8Array.from(atob(code.replaceAll('-', '+').replaceAll('_', '/')), char => char.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const {done, value} = await reader.read();
    if (done) break;
    size += value.length;
    if (size > MOST_BYTES) {
      await reader.cancel();
      throw new Error('what the link holds is too large');
    }
    parts.push(value);
  }
  return JSON.parse(await new Blob(parts).text());
}
