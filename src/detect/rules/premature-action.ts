import type { ClearingReason, DetectorOptions, Source, ToolCallEvent } from '../../core/model';
import { prematureAction as card } from '../../core/rules/cards/premature-action';
import { EvidenceRows, createAlert, rowOf } from '../session/alert';
import { type Touch, touchesOf } from '../../base/checks/touches';
import { normalisedPath } from '../../base/util/canonical';
import { NOT_BACK_STEPS, PERSON } from '../../core/rules/common';
import type { DetectContext, Detector, DetectorDefinition, DetectorSink } from '../session/detector';
import type { Step } from '../steps/step';
import { hearing } from '../session/hearing';
import { hashOfName, nameOf, namesInText } from '../sayings/paths-in-text';
import { RecentHashes } from '../steps/recent-hashes';
import { isFromPerson } from '../steps/step-builder';

/** Files that are remembered as seen, at least; the oldest are forgotten first. */
const REMEMBERED = 384;
/** Phrases with which a tool that writes whole files reports that there was one. */
const OVERWRITTEN =
  /\b(?:overw(?:rote|ritten|riting)|has been (?:updated|modified|replaced)|updated (?:the )?(?:existing )?file|successfully updated)\b/i;
/** A passage that is exchanged in a text breaks nothing that stands beside it, as one of code may. */
const PROSE = /\.(?:md|mdx|markdown|rst|adoc|txt)$/i;
/** The editing tools of Claude Code and OpenCode refuse a file that was not read, by name and the argument that names the file. */
const REFUSES_UNREAD: Readonly<Record<string, string>> = {
  Edit: 'file_path',
  MultiEdit: 'file_path',
  Write: 'file_path',
  NotebookEdit: 'notebook_path',
  edit: 'filePath',
  write: 'filePath',
};
/** Names of arguments that hold the text that an edit looks for. */
const OLD_TEXT = ['old_string', 'old_str', 'oldText', 'old_text', 'search', 'find'];

/** Words by which a person asks for something to be taken away: then it is no guess of the agent's. */
const ASKED =
  /\b(?:delet|remov|drop|truncat|destroy|purg|prun|terminat|uninstall|roll ?back|reset|force|clean|wipe|drain|scale)/i;
/** Characters of a prompt in which they are looked for. */
const ASKED_IN = 4096;

/** An action without a look. */
interface Act {
  readonly did: 'edited' | 'ran' | 'changed';
  /** The file by its path, or the words that changed a system. */
  readonly what: string;
  /** Name that a look has to contain: the last part of the path, or the system. */
  readonly key: string;
}

/**
 * An edit of a file, a run of one, or a change of a system's state, that this session never looked at. A hint: what a person named or
 * pasted, what a search or command showed, and what the agent wrote itself counts as looked at.
 */
export const prematureAction: DetectorDefinition = { id: card.id, create };

function create(options: DetectorOptions, sink: DetectorSink): Detector {
  const alert = createAlert(card, sink);
  const rows = new EvidenceRows();
  const seen = new RecentHashes(REMEMBERED);
  /** Named in what a look of a shell showed. Apart, so that a long listing forgets nothing that was read. */
  const shown = new RecentHashes(REMEMBERED);
  /** Keys of what was acted on without a look. */
  const unread = new Set<string>();
  /** Earlier events are not in this transcript: the agent may know any file, so from here on nothing is reported or remembered. */
  let isContinued = false;
  let isAsked = false;
  let last = 0;

  const see = (name: number): void => seen.add(name);
  const show = (name: number): void => shown.add(name);

  const end = (reason: ClearingReason, at: number, source: Source, context: DetectContext): void => {
    alert.clear(reason, at, source, context);
    rows.clear();
    unread.clear();
  };

  const acted = (step: Step, act: Act, context: DetectContext): void => {
    last = step.index;
    unread.add(act.key);
    const first = rows.add(
      rowOf(step, act.did === 'changed' ? 'not looked at before in this session' : 'not read before in this session'),
    );
    if (rows.total < options.warn) return;
    const { why, suggestion } = wordsFor(act);
    alert.raise(
      {
        level: 'warn',
        count: rows.total,
        limit: options.warn,
        at: step.at,
        source: step.end,
        firstAt: first.at,
        first: first.source,
        evidence: rows.rows(),
        subject: step.subject,
        why: `${why}${rows.total > 1 ? ` ${rows.total} such steps so far.` : ''}`,
        suggestion,
        clears: ['it looks at it', `no such step within ${NOT_BACK_STEPS} steps`, PERSON],
      },
      context,
    );
  };

  /** An edit by a tool that names its file. */
  const editOf = (step: Step, file: string, context: DetectContext): Act | null => {
    const { call } = step;
    const isBlind =
      call.kind === 'changed' && !refusesUnread(call) && changesExisting(step, file) && !seen.has(hashOfName(file));
    return isBlind ? { did: 'edited', what: normalisedPath(call.target ?? file, context.cwd), key: file } : null;
  };

  /** The first thing that a command acts on without a look; what is named twice in it was looked at, or written, by itself. */
  const actIn = (touches: readonly Touch[], command: string, context: DetectContext): Act | null => {
    const looked = new Set<string>();
    for (const { how, what, verb } of touches) {
      const key = how === 'edits' || how === 'runs' ? nameOf(what) : `the ${what}`;
      const isKnown = looked.has(key) || seen.has(hashOfName(key));
      if (how === 'looks' || how === 'changes') {
        looked.add(key);
        if (how === 'changes' && !isKnown && !isAsked) return { did: 'changed', what: verb, key };
      } else if (!isKnown && !shown.has(hashOfName(key)) && command.indexOf(key) === command.lastIndexOf(key)) {
        return { did: how === 'edits' ? 'edited' : 'ran', what: normalisedPath(what, context.cwd), key };
      }
    }
    return null;
  };

  /** Remembers what a step looked at, wrote or named. */
  const remember = (step: Step, touches: readonly Touch[], file: string | undefined): void => {
    const { call, result } = step;
    if (file !== undefined) see(hashOfName(file));
    for (const { how, what } of touches) if (how === 'looks' || how === 'changes') see(hashOfName(`the ${what}`));
    const showsNames = call.kind === 'looked' && file === undefined && !step.failed;
    if (call.command === undefined) {
      namesInText(call.subject, see);
      if (showsNames) namesInText(result.output, see);
      return;
    }
    namesInText(call.command, see);
    if (showsNames) namesInText(result.output, show);
  };

  /** Returns whether this step looks at something that was acted on before. */
  const looksAtUnread = ({ call }: Step, touches: readonly Touch[], file: string | undefined): boolean => {
    if (touches.some(({ how, what }) => how === 'looks' && unread.has(`the ${what}`))) return true;
    if (call.kind !== 'looked') return false;
    return file !== undefined ? unread.has(file) : [...unread].some((key) => call.command?.includes(key) === true);
  };

  return {
    ...hearing(['session_info', 'compaction', 'user', 'session_end'], (event, context) => {
      switch (event.type) {
        case 'session_info':
          isContinued ||= event.forkedFrom !== undefined;
          break;
        case 'compaction':
          // Earlier looks are no longer in the context, and the summary does not name all of them.
          isContinued = true;
          break;
        case 'user':
          if (!isContinued) namesInText(event.text, see);
          isAsked ||= ASKED.test(event.text.slice(0, ASKED_IN));
          if (isFromPerson(event)) end('user_message', event.at, event.source, context);
          break;
        case 'session_end':
          end('session_end', event.at, event.source, context);
          break;
      }
    }),
    onStep(step, context) {
      if (isContinued && !alert.isOpen) return;
      const { call } = step;
      const { command } = call;
      const file = call.target === undefined ? undefined : nameOf(call.target);
      const touches = command === undefined ? NOTHING : touchesOf(command, context.cwd);
      let act: Act | null = null;
      if (!step.failed && !isContinued) {
        if (command !== undefined) act = actIn(touches, command, context);
        else if (file !== undefined) act = editOf(step, file, context);
      }
      if (!isContinued) remember(step, touches, file);
      if (act) {
        acted(step, act, context);
        return;
      }
      if (!alert.isOpen) return;
      if (looksAtUnread(step, touches, file)) end('tool_call', step.at, step.end, context);
      else if (step.index - last >= NOT_BACK_STEPS) end('not_back', step.at, step.end, context);
    },
  };
}

const NOTHING: readonly Touch[] = [];

function wordsFor({ did, what, key }: Act): { readonly why: string; readonly suggestion: string } {
  switch (did) {
    case 'edited':
      return {
        why: `It edited \`${what}\` without reading it in this session.`,
        suggestion: `Read \`${key}\` before the next change, so that the change fits what is there.`,
      };
    case 'ran':
      return {
        why: `It ran \`${what}\` without reading it in this session.`,
        suggestion: `Read \`${key}\` before it runs again, so that you know what it does.`,
      };
    case 'changed':
      return {
        why: `It ran \`${what}\` without looking at ${key} in this session.`,
        suggestion: `Look at ${key} before the next change, so that the change fits what is there.`,
      };
  }
}

/** Would the agent's own tool have refused this edit of a file that was not read? */
function refusesUnread({ name, args }: ToolCallEvent): boolean {
  const argument = REFUSES_UNREAD[name];
  return argument !== undefined && typeof args === 'object' && args !== null && argument in args;
}

/** Did this step change a file that was there before it? */
function changesExisting({ call, result }: Step, file: string): boolean {
  if (call.command !== undefined) return false;
  const old = oldText(call);
  if (old !== null) return old !== '' && !PROSE.test(file);
  return OVERWRITTEN.test(result.output.slice(0, 400));
}

/** The text that an edit looks for, null where the call looks for none: then it writes the whole file. */
function oldText({ args }: ToolCallEvent): string | null {
  if (typeof args !== 'object' || args === null) return null;
  const record = args as Record<string, unknown>;
  for (const name of OLD_TEXT) if (typeof record[name] === 'string') return record[name];
  return null;
}
