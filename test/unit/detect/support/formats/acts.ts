import type { AgentAdapter } from '../../../../../src/agents/adapter';

/** An act of an agent, in any format. */
export type Act =
  /** Runs a command; `fails`: with exit code 1. */
  | { readonly does: 'run'; readonly command: string; readonly output: string; readonly fails?: boolean }
  | { readonly does: 'read'; readonly path: string }
  | { readonly does: 'edit'; readonly path: string; readonly from: string; readonly to: string }
  | { readonly does: 'write'; readonly path: string; readonly text: string }
  | { readonly does: 'say'; readonly text: string }
  | { readonly does: 'prompt'; readonly text: string }
  | { readonly does: 'compact' }
  /** This many tokens of its context are used. */
  | { readonly does: 'use'; readonly tokens: number }
  /** The model's service refuses a request. */
  | { readonly does: 'refused' }
  /** Calls a tool that does not exist. */
  | { readonly does: 'unknown tool'; readonly name: string }
  /** Says that it is done. */
  | { readonly does: 'claim' }
  /** A program gives feedback. */
  | { readonly does: 'feedback'; readonly text: string }
  | { readonly does: 'wait'; readonly seconds: number };

export interface Format {
  readonly name: string;
  readonly adapter: AgentAdapter;
  /** Acts for which this format has no record, or whose record lacks what is needed. */
  readonly lacks: ReadonlySet<Act['does']>;
  /** Detectors whose signal these records do not carry. */
  readonly silent?: ReadonlySet<string>;
  /** Returns the records of the acts, with `at` two seconds later for each. */
  readonly records: (acts: readonly Act[]) => readonly object[];
}

export const CWD = '/home/dev/project';
export const SESSION = '11111111-0000-4000-8000-0000000000aa';
const BEGIN = Date.parse('2026-11-20T12:00:00Z');

export interface Call {
  readonly id: string;
  /** `bash`, `read`, `edit` or `write`. */
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly output: string;
  readonly fails: boolean;
}

/** The call that an act makes, with the argument names that most agents use; null if it makes none. */
function callOf(act: Act, id: string): Call | null {
  switch (act.does) {
    case 'run':
      return { id, tool: 'bash', args: { command: act.command }, output: act.output, fails: act.fails === true };
    case 'read':
      return { id, tool: 'read', args: { file_path: act.path }, output: `content of ${act.path}`, fails: false };
    case 'edit': {
      const args = { file_path: act.path, old_string: act.from, new_string: act.to };
      return { id, tool: 'edit', args, output: `The file ${act.path} has been updated.`, fails: false };
    }
    case 'write': {
      const args = { file_path: act.path, content: act.text };
      return { id, tool: 'write', args, output: `File created at ${act.path}`, fails: false };
    }
    default:
      return null;
  }
}

type Write = (act: Act, call: Call | null, t: string, n: number) => readonly object[];

/** Writes act after act, each two seconds later. */
export function each(write: Write, head: (t: string) => readonly object[]): Format['records'] {
  return (acts) => {
    let at = BEGIN;
    const records = [...head(new Date(at).toISOString())];
    for (const [n, act] of acts.entries()) {
      at += act.does === 'wait' ? act.seconds * 1000 : 2000;
      records.push(...write(act, callOf(act, `call_${n}`), new Date(at).toISOString(), n));
    }
    return records;
  };
}
