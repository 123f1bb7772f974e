import type { ClearingReason, DetectorOptions, Source, ToolCallEvent } from '../../model';
import { prematureAction as card } from '../../rules/cards/premature-action';
import { EvidenceRows, createAlert, rowOf } from '../session/alert';
import { normalisedPath } from '../../util/canonical';
import { NOT_BACK_STEPS, PERSON } from '../../rules/common';
import type { DetectContext, Detector, DetectorDefinition, DetectorSink, Step } from '../session/detector';
import { hashOf } from '../../util/hash';
import { nameOf, namesInText } from '../sayings/paths-in-text';
import { RecentHashes } from '../steps/recent-hashes';
import { isFromPerson } from '../steps/step-builder';

/** Files that are remembered as seen, at least; the oldest are forgotten first. */
const REMEMBERED = 384;
/** How a tool that writes whole files says that there was one. */
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

/**
 * An edit of a file that this session never looked at. A hint: what a person named or pasted, what a search or command showed, and what
 * the agent wrote itself counts as looked at.
 */
export const prematureAction: DetectorDefinition = { id: card.id, create };

function create(options: DetectorOptions, sink: DetectorSink): Detector {
  const alert = createAlert(card, sink);
  const rows = new EvidenceRows();
  const seen = new RecentHashes(REMEMBERED);
  /** Edited files that were not read by then. */
  const unread = new Set<string>();
  /** What came before is not in this transcript: the agent may know any file. */
  let isContinued = false;
  let last = 0;

  const see = (name: string): void => seen.add(hashOf(name));

  const end = (reason: ClearingReason, at: number, source: Source, context: DetectContext): void => {
    alert.clear(reason, at, source, context);
    rows.clear();
    unread.clear();
  };

  const edited = (step: Step, file: string, context: DetectContext): void => {
    last = step.index;
    unread.add(file);
    rows.add(rowOf(step, 'not read before in this session'));
    const { first } = rows;
    if (rows.total < options.warn || !first) return;
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
        why: `It edited \`${normalisedPath(step.call.target ?? file, context.cwd)}\` without reading it in this session.${rows.total > 1 ? ` ${rows.total} such edits so far.` : ''}`,
        suggestion: `Read \`${file}\` before the next change, so that the change fits what is there.`,
        clears: ['it reads the file', `no such edit within ${NOT_BACK_STEPS} steps`, PERSON],
      },
      context,
    );
  };

  return {
    onEvent(event, context) {
      switch (event.type) {
        case 'session_info':
          isContinued ||= event.forkedFrom !== undefined;
          break;
        case 'compaction':
          // What was looked at before it is not in the context any more, and not all of it is named in the summary.
          isContinued = true;
          break;
        case 'user':
          namesInText(event.text, see);
          if (isFromPerson(event)) end('user_message', event.at, event.source, context);
          break;
        case 'session_end':
          end('session_end', event.at, event.source, context);
          break;
        default:
      }
    },
    onStep(step, context) {
      const { call } = step;
      const file = call.target === undefined ? undefined : nameOf(call.target);
      if (
        call.kind === 'changed' &&
        file !== undefined &&
        !step.failed &&
        !isContinued &&
        !refusesUnread(call) &&
        changesExisting(step, file) &&
        !seen.has(hashOf(file))
      ) {
        see(file);
        edited(step, file, context);
        return;
      }
      if (file !== undefined) see(file);
      if (call.command !== undefined) namesInText(call.command, see);
      else if (call.kind === 'looked' && file === undefined && !step.failed) namesInText(step.result.output, see);
      if (!alert.isOpen) return;
      if (call.kind === 'looked' && file !== undefined && unread.has(file))
        end('tool_call', step.at, step.end, context);
      else if (step.index - last >= NOT_BACK_STEPS) end('not_back', step.at, step.end, context);
    },
  };
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
