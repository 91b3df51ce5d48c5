// The page's side of the engine: one call at a time, the newest of a kind alone, and a limit of time for each.

const LIMIT = 20_000; // milliseconds; odds that the core itself gives up are refused before, with the reason
const MOST_MEMORY = 512 << 20; // bytes; Python gives none back, so a larger engine is replaced

/** What the page is told of the engine: `starting`, `ready`, `stopped` or `failed`. */
export class Engine {
  /**
   * `tell(phase, why)` is called when the phase changes; `replay()` gives the call that a new engine needs first, so
   * that it knows the rules, or null.
   */
  constructor(tell, replay, withSnapshot = true) {
    this.tell = tell;
    this.replay = replay;
    this.queue = [];
    this.current = null;
    this.count = 0;
    this.times = {};
    this.start(withSnapshot);
  }

  start(withSnapshot) {
    this.ready = false;
    this.withSnapshot = withSnapshot;
    const worker = new Worker('worker.js', {type: 'module'});
    this.worker = worker;
    worker.onmessage = ({data}) => {
      if (worker !== this.worker) return; // it was ended, and this is its last word
      if (data.ready) {
        this.ready = true;
        this.tell('ready');
        this.next();
      } else if (data.failed) this.failed(data.failed);
      else this.answered(data);
    };
    worker.onerror = event => worker === this.worker && !this.ready && this.failed(event.message ?? 'no worker');
    worker.postMessage({snapshot: withSnapshot});
    this.tell('starting');
  }

  failed(why) {
    this.worker.terminate();
    if (this.withSnapshot) {
      console.warn(`the snapshot cannot be restored: ${why}`);
      this.start(false);
    } else this.tell('failed', why);
  }

  /**
   * The reply to a call, or null if a newer call of the same `kind` came before its turn.
   *
   * A call that takes more than `limit` milliseconds ends the engine; `low` calls wait for all others.
   */
  ask(call, {kind = null, limit = LIMIT, low = false} = {}) {
    if (kind !== null) {
      const old = this.queue.filter(one => one.kind === kind);
      this.queue = this.queue.filter(one => one.kind !== kind);
      old.forEach(one => one.done(null));
    }
    return new Promise(done => {
      this.count += 1;
      const entry = {id: this.count, call, kind, limit, low, done};
      const firstLow = low ? -1 : this.queue.findIndex(one => one.low);
      this.queue.splice(firstLow < 0 ? this.queue.length : firstLow, 0, entry);
      this.next();
    });
  }

  /** How long the last call of a kind took, in milliseconds. */
  lastTime(call) {
    return this.times[call] ?? 0;
  }

  next() {
    if (!this.ready || this.current || !this.queue.length) return;
    const entry = this.queue.shift();
    this.current = entry;
    entry.timer = setTimeout(() => this.stop(), entry.limit);
    this.worker.postMessage({id: entry.id, call: entry.call});
  }

  answered({id, reply, milliseconds, memory}) {
    const entry = this.current;
    if (!entry || entry.id !== id) return;
    clearTimeout(entry.timer);
    this.current = null;
    this.times[entry.call.do] = milliseconds;
    entry.done(reply);
    if (memory > MOST_MEMORY) this.restart();
    else this.next();
  }

  /** Ends what is being computed, and begins anew. */
  stop() {
    const entry = this.current;
    if (entry) {
      clearTimeout(entry.timer);
      this.current = null;
    }
    this.tell('stopped');
    this.restart(entry?.call.do !== 'check');
    entry?.done({ok: false, stopped: true, error: {code: '', message: '', help: ''}});
  }

  restart(withRules = true) {
    this.worker.terminate();
    const first = withRules ? this.replay() : null;
    if (first) this.queue.unshift({id: ++this.count, call: first, kind: null, limit: LIMIT, low: false, done() {}});
    this.start(this.withSnapshot);
  }
}
