import type { ClearingReason, DetectorOptions, Source, ToolCallEvent } from '../../core/model';
import { prematureAction as card } from '../../core/rules/cards/premature-action';
import { EvidenceRows, Alert, rowOf } from '../session/alert';
import { editedInPlace } from '../../base/checks/edited-in-place';
import { normalisedPath } from '../../base/util/canonical';
import { NOT_BACK_STEPS, PERSON } from '../../core/rules/common';
import type { DetectContext, Detector, DetectorDefinition, DetectorSink } from '../session/detector';
import type { Step } from '../steps/step';
import { hearing } from '../session/hearing';
import { hashOfName, nameOf, namesInText } from '../sayings/paths-in-text';
import { RecentHashes } from '../steps/recent-hashes';
import { isFromPerson } from '../steps/step-builder';

/** Number of files that are remembered as seen, at least; the oldest are forgotten first. */
const REMEMBERED = 384;
/** Phrases with which a tool that writes whole files reports that the file existed. */
const OVERWRITTEN =
  /\b(?:overw(?:rote|ritten|riting)|has been (?:updated|modified|replaced)|updated (?:the )?(?:existing )?file|successfully updated)\b/i;
/** Replacing a passage in prose cannot break the text next to it, as it can in code. */
const PROSE = /\.(?:md|mdx|markdown|rst|adoc|txt)$/i;
/** The editing tools of Claude Code and OpenCode that refuse a file that was not read, with the argument that names the file. */
const REFUSES_UNREAD: Readonly<Record<string, string>> = {
  Edit: 'file_path',
  MultiEdit: 'file_path',
  Write: 'file_path',
  NotebookEdit: 'notebook_path',
  edit: 'filePath',
  write: 'filePath',
};
/** Names of arguments with the text that an edit looks for. */
const OLD_TEXT = ['old_string', 'old_str', 'oldText', 'old_text', 'search', 'find'];

/** An edit without a look. */
interface Act {
  /** Path of the file. */
  readonly what: string;
  /** Name that a look has to contain: the last part of the path. */
  readonly key: string;
}

/**
 * Detects an edit of a file that this session never looked at. A hint: files that a person named or pasted, that a search or command showed, or that
 * the agent wrote itself count as looked at. Running a file is not an edit.
 */
export const prematureAction: DetectorDefinition = { id: card.id, create };

function create(options: DetectorOptions, sink: DetectorSink): Detector {
  const alert = new Alert(card, sink);
  const rows = new EvidenceRows();
  const seen = new RecentHashes(REMEMBERED);
  /** Names shown by a shell's look. Kept separately, so that a long listing does not displace files that were read. */
  const shown = new RecentHashes(REMEMBERED);
  /** Names of the files that were edited without a look; at most `REMEMBERED`. */
  const unread = new Set<string>();
  /** True if earlier events are not in this transcript: the agent may know any file, so from here on nothing is reported or remembered. */
  let isContinued = false;
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
    if (unread.size < REMEMBERED) unread.add(act.key);
    const first = rows.add(rowOf(step, 'not read before in this session'));
    if (rows.total < options.warn) return;
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
        why: `It edited \`${act.what}\` without reading it in this session.${rows.total > 1 ? ` ${rows.total} such steps so far.` : ''}`,
        suggestion: `Read \`${act.key}\` before the next change, so that the change fits what is there.`,
        clears: ['it reads it', `no such step within ${NOT_BACK_STEPS} steps`, PERSON],
      },
      context,
    );
  };

  /** Returns an edit by a tool that names its file. */
  const editOf = (step: Step, file: string, context: DetectContext): Act | null => {
    const { call } = step;
    const isBlind =
      call.kind === 'changed' && !refusesUnread(call) && changesExisting(step, file) && !seen.has(hashOfName(file));
    return isBlind ? { what: normalisedPath(call.target ?? file, context.cwd), key: file } : null;
  };

  /**
   * Returns the first file that a command edits in place without a look. A file named twice in the command was looked at, or written, by that
   * command.
   */
  const editIn = (edited: readonly string[], command: string, context: DetectContext): Act | null => {
    for (const path of edited) {
      const key = nameOf(path);
      const isKnown = seen.has(hashOfName(key)) || shown.has(hashOfName(key));
      if (!isKnown && command.indexOf(key) === command.lastIndexOf(key))
        return { what: normalisedPath(path, context.cwd), key };
    }
    return null;
  };

  /** Remembers the files that a step looked at, wrote or named. */
  const remember = (step: Step, file: string | undefined): void => {
    const { call, result } = step;
    if (file !== undefined) see(hashOfName(file));
    const showsNames = call.kind === 'looked' && file === undefined && !step.failed;
    if (call.command === undefined) {
      namesInText(call.subject, see);
      if (showsNames) namesInText(result.output, see);
      return;
    }
    namesInText(call.command, see);
    if (showsNames) namesInText(result.output, show);
  };

  /** Returns whether this step looks at a file that was edited before. */
  const looksAtUnread = ({ call }: Step, file: string | undefined): boolean => {
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
      let act: Act | null = null;
      if (!step.failed && !isContinued) {
        if (command !== undefined) act = editIn(editedInPlace(command, context.cwd), command, context);
        else if (file !== undefined) act = editOf(step, file, context);
      }
      if (!isContinued) remember(step, file);
      if (act) {
        acted(step, act, context);
        return;
      }
      if (!alert.isOpen) return;
      if (looksAtUnread(step, file)) end('tool_call', step.at, step.end, context);
      else if (step.index - last >= NOT_BACK_STEPS) end('not_back', step.at, step.end, context);
    },
  };
}

/** Returns whether the agent's own tool would have refused this edit of a file that was not read. */
function refusesUnread({ name, args }: ToolCallEvent): boolean {
  const argument = REFUSES_UNREAD[name];
  return argument !== undefined && typeof args === 'object' && args !== null && argument in args;
}

/** Returns whether this step changed an existing file. */
function changesExisting({ call, result }: Step, file: string): boolean {
  if (call.command !== undefined) return false;
  const old = oldText(call);
  if (old !== null) return old !== '' && !PROSE.test(file);
  return OVERWRITTEN.test(result.output.slice(0, 400));
}

/** Returns the text that an edit looks for; null where there is none, because the call writes the whole file. */
function oldText({ args }: ToolCallEvent): string | null {
  if (typeof args !== 'object' || args === null) return null;
  const record = args as Record<string, unknown>;
  for (const name of OLD_TEXT) if (typeof record[name] === 'string') return record[name];
  return null;
}
