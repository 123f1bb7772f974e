import type { DecoderContext, LineDecoder } from '../decoder';
import { describeCall, isOwnMessage, requestErrorKind, sessionOfFile, timeOf } from '../shared/decode';
import { RecordEmitter, type RecordPlace, sourceOf } from '../shared/conversation';

const START = /^# aider chat started at (\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)/;
const FENCE = /^(?:```|~~~~)/;
/** An answer with code may hold edits: their outcome follows. */
const EDITS = /^(?:```|~~~~)|<<<<<<< SEARCH|^--- /m;
const RUNNING = /^(?:## )?Running:? (.+)$/;
const MALFORMED =
  /^(?:The LLM did not conform to the edit format|Malformed |# \d+ SEARCH\/REPLACE blocks? failed|Your edit )/i;
const TOKENS =
  /^Tokens: ([\d,.]+k?) sent, (?:[\d,.]+k? cache (?:write|hit), )*([\d,.]+k?) received\.?(?:.*?Cost: \$([\d.]+))?/;
/** Lines that end the output of a command, or the complaint about an edit. */
const NEXT =
  /^(?:Attempt to fix|Applied edit to|Tokens: |## Running|Running:? \S|Add .{1,400} to the chat|Commit [0-9a-f]{7}|The LLM did not conform|Only \d+ reflections allowed)/;
/** An error of the service, after which aider tries again (`AGAIN`) or stops. */
const FAILED = /^(?:litellm\.)?[A-Z]\w{2,60}(?:Error|Exception): /;
const AGAIN = /^Retrying in ([\d.]{1,9}) seconds/;
/** Commands that query the model; aider answers all others on its own. */
const ASKING = /^\/(?:(?:ask|code|architect|context|run|test|lint|web|voice|paste|ok)\b|help\s+\S)/;
const LONGEST = 256 * 1024;

type Kind = 'start' | 'user' | 'tool' | 'text';

/**
 * Decodes aider's chat history, an append-only Markdown file: `####` marks the user and `>` the program; everything else is the model, or what aider
 * prints for a command that it answers on its own. Only the beginning of each chat has a time. Each chat is a session of its own.
 */
export function createDecoder({ file }: DecoderContext): LineDecoder {
  const name = sessionOfFile(file);
  const emitter = new RecordEmitter('aider', file, name);
  let turn: 'none' | 'open' | 'answered' = 'none';
  let part: 'none' | 'user' | 'text' | 'output' | 'complaint' = 'none';
  let text = '';
  let place: RecordPlace = emitter.place;
  let fence = false;
  let edits = false;
  /** The newest prompt was a command that aider answers on its own: what follows is its output, not a message. */
  let answersItself = false;
  /** The person's own changes are committed before the edits are applied. */
  let clearing = false;
  let command: { readonly id: string; readonly fixing: boolean } | undefined;

  const begin = (next: typeof part): void => {
    flush();
    part = next;
    place = emitter.place;
  };

  const flush = (): void => {
    const whole = text.trim();
    const was = part;
    text = '';
    part = 'none';
    if (was === 'user') {
      endTurn(place);
      answersItself = whole.startsWith('/') && !ASKING.test(whole);
      if (answersItself) return emitter.emit({ type: 'other', name: 'command' }, place);
      turn = 'open';
      emitter.emit({ type: 'user', text: whole, automated: isOwnMessage(whole) }, place);
    } else if (was === 'text' && whole !== '' && !answersItself) {
      openTurn(place);
      edits = EDITS.test(whole);
      emitter.emit({ type: 'assistant', text: whole, chunk: false }, place);
    } else if (was === 'complaint') emitter.emit({ type: 'error', kind: 'validation', message: whole }, place);
    else if (was === 'output' && command) {
      // A check is written with its output only if it found something to fix.
      emitter.emit({ type: 'tool_result', id: command.id, output: whole, isError: command.fixing });
      command = undefined;
    }
  };

  const endTurn = (where?: RecordPlace, reason: 'done' | 'interrupted' | 'error' = 'done'): void => {
    if (turn === 'open') emitter.emit({ type: 'turn_end', reason }, where);
    turn = 'answered';
  };

  const openTurn = (where?: RecordPlace): void => {
    if (turn !== 'open') emitter.emit({ type: 'turn_start' }, where);
    turn = 'open';
  };

  const call = (tool: string, args: Record<string, string>): string => {
    const id = `${tool}@${emitter.place.source.offset}`;
    emitter.emit({ type: 'tool_call', id, name: tool, args, ...describeCall(tool, args) });
    return id;
  };

  const program = (line: string): void => {
    const running = RUNNING.exec(line);
    if (part === 'output' || part === 'complaint') {
      if (!NEXT.test(line)) {
        if (text.length < LONGEST) text += `${line}\n`;
        return;
      }
      flush();
    }
    if (running?.[1]) {
      begin('output');
      if (turn === 'answered') openTurn();
      command = { id: call('run', { command: running[1].trim() }), fixing: line.startsWith('## ') };
      return;
    }
    const edited = /^Applied edit to (.+)$/.exec(line)?.[1];
    if (edited !== undefined) {
      const id = call('edit', { path: edited.trim() });
      emitter.emit({ type: 'tool_result', id, output: line, isError: false });
      // Without commits, nothing else shows that the turn is over; a check that follows reopens it.
      return endTurn();
    }
    if (MALFORMED.test(line)) {
      openTurn();
      begin('complaint');
      text = `${line}\n`;
      return;
    }
    const tokens = TOKENS.exec(line);
    if (tokens) return counted(tokens);
    if (/^\^C|^KeyboardInterrupt/.test(line)) return endTurn(undefined, 'interrupted');
    if (/^Only \d+ reflections allowed|^Attempt to fix .{1,100}: n(?:o)?$/i.test(line)) return endTurn();
    const again = AGAIN.exec(line)?.[1];
    if (again !== undefined) {
      openTurn();
      return emitter.emit({ type: 'request' });
    }
    if (FAILED.test(line)) {
      emitter.emit({ type: 'error', kind: requestErrorKind(line), message: line });
      return endTurn(undefined, 'error');
    }
    if (/^Committing .{1,400} before applying edits/.test(line)) clearing = true;
    else if (/^Commit [0-9a-f]{7}\b/.test(line)) {
      if (!clearing) endTurn();
      clearing = false;
    }
    const model = /^(?:Main model|Models?): ([^\s,]+)/.exec(line)?.[1];
    const version = /^Aider v(\S+)/.exec(line)?.[1];
    if (model === undefined && version === undefined) return;
    emitter.emit({
      type: 'session_info',
      ...(model !== undefined && { model }),
      ...(version !== undefined && { version }),
    });
  };

  const counted = (tokens: RegExpExecArray): void => {
    const input = numberOf(tokens[1]);
    const output = numberOf(tokens[2]);
    const spent = Number(tokens[3] ?? 0);
    emitter.emit({
      type: 'usage',
      contextTokens: input,
      inputTokens: input,
      outputTokens: output,
      ...(spent > 0 && { cost: spent }),
    });
    // An answer with edits is followed by their outcome.
    if (!edits) endTurn();
  };

  const started = (day: string, clock: string): void => {
    flush();
    if (turn !== 'none') {
      endTurn();
      emitter.emit({ type: 'session_end', reason: 'clean' });
    }
    turn = 'none';
    answersItself = false;
    emitter.timed(timeOf(`${day}T${clock}`));
    emitter.session = `${name.replace(/[^A-Za-z0-9_-]/g, '') || 'aider'}-${day}-${clock.replaceAll(':', '-')}`;
    emitter.emit({ type: 'session_info', mode: 'interactive' });
  };

  return {
    unit: 'line',
    decode(raw, sink) {
      emitter.begin(sourceOf(file, raw), sink);
      const line = raw.text.replace(/\r$/, '');
      const kind = part === 'text' && isHeading(line) ? 'text' : kindOf(line);
      if (part === 'text' && fence && kind !== 'start' && kind !== 'user') {
        if (FENCE.test(line)) fence = false;
        if (text.length < LONGEST) text += `${line}\n`;
        return;
      }
      switch (kind) {
        case 'start': {
          const found = START.exec(line);
          return started(found?.[1] ?? '', found?.[2] ?? '');
        }
        case 'user':
          if (part !== 'user') begin('user');
          text += `${line.slice(5).trimEnd()}\n`;
          return;
        case 'tool':
          if (part === 'user' || part === 'text') flush();
          return program(line.slice(2).trimEnd());
        case 'text':
          if (part !== 'text') {
            if (line.trim() === '' && part !== 'user') return;
            begin('text');
            fence = false;
          }
          if (FENCE.test(line)) fence = !fence;
          if (text.length < LONGEST) text += `${line}\n`;
      }
    },
  };
}

/** True for a heading in the model's answer: aider ends each line of a prompt with two spaces, so `####` without them is a heading. */
function isHeading(line: string): boolean {
  return line.startsWith('#### ') && !line.endsWith('  ');
}

function kindOf(line: string): Kind {
  if (START.test(line)) return 'start';
  if (line.startsWith('#### ')) return 'user';
  return line === '>' || line.startsWith('> ') ? 'tool' : 'text';
}

/** Reads a count such as `10,163` or `4.6k`. */
function numberOf(text: string | undefined): number {
  const value = Number.parseFloat((text ?? '0').replaceAll(',', ''));
  return Math.round(value * (text?.endsWith('k') ? 1000 : 1));
}
