// The editor of the rules: CodeMirror, with problems, completion and hover of the engine.

import {autocompletion, closeBrackets, completionKeymap, snippet, startCompletion} from '@codemirror/autocomplete';
import {defaultKeymap, history, historyKeymap, indentWithTab} from '@codemirror/commands';
import {yaml} from '@codemirror/lang-yaml';
import {bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting} from '@codemirror/language';
import {lintGutter, lintKeymap, setDiagnostics} from '@codemirror/lint';
import {EditorState, RangeSetBuilder} from '@codemirror/state';
import {
  Decoration,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import {tags} from '@lezer/highlight';
import {h, sentence} from './dom.js';
import {texts} from './texts.js';

const COLOURS = HighlightStyle.define([
  {tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--key)'},
  {tag: tags.string, color: 'var(--string)'},
  {tag: [tags.number, tags.bool], color: 'var(--number)'},
  {tag: tags.comment, color: 'var(--comment)', fontStyle: 'italic'},
  {tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: 'var(--comment)'},
]);
const PAUSE_OF_TYPING = 120; // milliseconds before completion is asked
const MOST_REST = 80; // characters of a word behind the cursor
const TIME_TO_LEAVE = 10_000; // milliseconds after Escape in which Tab leaves; CodeMirror gives two seconds

/**
 * The editor in an element. `asks` has `changed(file, text)`, `complete(file, text, at)` and `hover(file, text, at)`,
 * of which the last two give what the engine replies, and `suggested(count)`, after somebody has asked what may stand
 * at the cursor.
 */
export class Editor {
  constructor(parent, asks) {
    this.asks = asks;
    this.file = '';
    this.states = new Map();
    this.view = new EditorView({parent, state: this.stateOf('')});
  }

  stateOf(text, ...more) {
    return EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        drawSelection(),
        history(),
        bracketMatching(),
        closeBrackets(),
        indentUnit.of('  '),
        EditorState.tabSize.of(2),
        yaml(),
        syntaxHighlighting(COLOURS),
        EditorView.lineWrapping,
        lintGutter(),
        autocompletion({
          icons: false,
          override: [context => this.completions(context)],
          activateOnTypingDelay: PAUSE_OF_TYPING,
        }),
        hoverTooltip((view, at) => this.tooltip(view, at), {hoverTime: 350, hideOnChange: true}),
        keymap.of([
          ...completionKeymap,
          ...lintKeymap,
          ...historyKeymap,
          ...defaultKeymap,
          indentWithTab,
        ]),
        EditorView.domEventObservers({
          keydown(event, view) {
            if (event.key === 'Escape') setTimeout(() => view.setTabFocusMode(TIME_TO_LEAVE));
          },
        }),
        EditorView.contentAttributes.of({
          'aria-label': texts.editor,
          spellcheck: 'false',
          autocapitalize: 'off',
          tabindex: '0',
        }),
        EditorView.updateListener.of(update => {
          if (update.docChanged && !update.state.readOnly) this.asks.changed(this.file, update.state.doc.toString());
        }),
        ...more,
      ],
    });
  }

  get text() {
    return this.view.state.doc.toString();
  }

  /** Begins with files; what was open is forgotten, and one of them is shown, with `[start, end]` selected. */
  begin(files, file, selected = [0, 0]) {
    this.states = new Map(Object.entries(files).map(([name, text]) => [name, this.stateOf(text)]));
    this.file = file;
    this.view.setState(this.states.get(file));
    this.view.dispatch({selection: {anchor: selected[0], head: selected[1]}});
  }

  /** Shows a file, where its cursor was. */
  show(file) {
    if (file === this.file) return;
    if (this.states.has(this.file)) this.states.set(this.file, this.view.state);
    this.file = file;
    this.view.setState(this.states.get(file) ?? this.stateOf(''));
  }

  /** Shows a text that cannot be changed, with marks on the places that something else changes. */
  showFixed(text, changed) {
    if (this.states.has(this.file)) this.states.set(this.file, this.view.state);
    this.file = '';
    const marks = new RangeSetBuilder();
    const places = changed
      .filter(({start, end}) => start < end && end <= text.length)
      .sort((a, b) => a.start - b.start);
    let last = 0;
    for (const {start, end} of places) {
      if (start >= last) marks.add(start, end, Decoration.mark({class: 'changed'}));
      last = Math.max(last, end);
    }
    const fixed = [EditorState.readOnly.of(true), EditorView.decorations.of(marks.finish())];
    this.view.setState(this.stateOf(text, ...fixed));
    if (places.length) {
      this.view.dispatch({effects: EditorView.scrollIntoView(places[0].start, {y: 'center'})});
    }
  }

  /** Marks the problems of the file that is shown. */
  mark(problems, fix) {
    const most = this.view.state.doc.length;
    const cut = at => Math.max(0, Math.min(most, at));
    this.view.dispatch(
      setDiagnostics(
        this.view.state,
        problems
          .filter(one => one.file === this.file)
          .map(problem => ({
            from: cut(problem.start),
            to: cut(Math.max(problem.start, problem.end)),
            severity: problem.severity === 'note' ? 'info' : problem.severity,
            source: problem.code,
            message: problem.message.replaceAll('`', ''),
            actions: problem.fixes.map(one => ({name: one.title.replaceAll('`', ''), apply: () => fix(one)})),
          })),
      ),
    );
  }

  /** Goes to a place of the file that is shown. */
  goTo(start, end) {
    const most = this.view.state.doc.length;
    this.view.dispatch({selection: {anchor: Math.min(start, most), head: Math.min(end, most)}, scrollIntoView: true});
    this.view.focus();
  }

  /** Changes files by the edits of a fix. */
  apply({edits}) {
    for (const file of new Set(edits.map(edit => edit.file))) {
      this.show(file);
      const changes = edits
        .filter(edit => edit.file === file)
        .map(({start, end, text}) => ({from: start, to: end, insert: text}));
      this.view.dispatch({changes});
    }
  }

  focus() {
    this.view.focus();
  }

  /** Shows what may stand at the cursor. */
  suggest() {
    this.view.focus();
    startCompletion(this.view);
  }

  async completions(context) {
    const typed = context.matchBefore(/[\w.]*$/);
    const before = context.state.sliceDoc(Math.max(0, context.pos - 1), context.pos);
    if (!context.explicit && (!typed || typed.from === typed.to) && !/[:\s({,]$/.test(before)) return null;
    // Enter behind a number begins a line; it must not choose a word that somebody did not ask for.
    if (!context.explicit && context.matchBefore(/\b\d+$/)) return null;
    const options = await this.asks.complete(this.file, context.state.doc.toString(), context.pos);
    if (context.explicit) this.asks.suggested(options?.length ?? 0);
    if (!options?.length) return null;
    const from = Math.min(...options.map(option => option.start));
    // At a word that is whole already, somebody asks what may stand there in its place.
    const isBehindColon = context.state.sliceDoc(from - 1, from) === ':';
    const rest = (isBehindColon ? /^ *\w*/ : /^\w*/).exec(context.state.sliceDoc(context.pos, context.pos + MOST_REST))[0];
    const to = context.pos + rest.length;
    const word = context.state.sliceDoc(from, to).trim();
    const isWhole = context.explicit && (/^\d+$/.test(word) || options.some(option => option.label === word));
    const next = context.state.sliceDoc(to, to + 1);
    const inserted = text => {
      const short = isWhole && /^[.:]$/.test(next) && text.trimEnd().endsWith(next) ? text.trimEnd().slice(0, -1) : text;
      return isBehindColon ? ` ${short}` : short;
    };
    return {
      from,
      ...(isWhole ? {to, filter: false} : {validFor: /^([^\W\d]\w*)?$/}),
      options: options
        .filter(option => option.start === from)
        .map(option => ({
          label: option.label,
          detail: option.detail,
          info: option.about ? () => h('div', {}, ...sentence(option.about)) : undefined,
          boost: -10 * option.rank,
          apply: /\$\{?\d/.test(option.insert) ? snippet(inserted(option.insert)) : inserted(option.insert),
        })),
    };
  }

  async tooltip(view, at) {
    const hover = await this.asks.hover(this.file, view.state.doc.toString(), at);
    if (!hover) return null;
    const lines = hover.lines.map(line => h('p', {}, ...sentence(line)));
    const table = hover.table.length ? [h('pre', {}, hover.table.join('\n'))] : [];
    return {
      pos: hover.start,
      end: hover.end,
      above: true,
      create: () => ({dom: h('div', {class: 'hover'}, ...lines, ...table)}),
    };
  }
}
