import { resolve } from 'node:path';
import { plainLines } from '../../base/checks/runners/lines';
import type { GateResult, GateStatus } from '../../core/model';
import { readable } from '../../base/util/cut';
import { presentable } from '../../base/util/redact';
import type { ProcessOutcome, Processes } from '../../base/processes/process';
import type { GatePlan } from './plan';
import type { Gate } from './gate';
import { type GateOutput, readGateOutput } from './failures';

/** Bytes that are kept of each output stream of a gate, however much it prints. */
const MAX_BYTES = 1024 * 1024;
/** Characters at the end of the output that are part of a result. */
const OUTPUT_KEPT = 4_000;
/** Characters at the end of what a gate printed that are redacted: many more than are kept. */
const REDACTED_OF_OUTPUT = 32_768;

export interface GateRunOptions {
  readonly plan: GatePlan;
  /** Absolute path of the folder that the gates are about. */
  readonly folder: string;
  readonly processes: Processes;
  /** Gates that may run at once, at least 1. */
  readonly parallel: number;
  /** Ends what is running; what has not begun is `not_run`. */
  readonly signal?: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called with all gates each time one begins or ends. */
  readonly onProgress?: (results: readonly GateResult[]) => void;
}

/** For programs that would ask, watch or colour if they assumed that a person is looking. */
const ENVIRONMENT = {
  CI: '1',
  NO_COLOR: '1',
  FORCE_COLOR: undefined,
  npm_config_update_notifier: 'false',
  PYTHONUNBUFFERED: '1',
  // A test runner started by an editor's process is no child of it.
  ELECTRON_RUN_AS_NODE: undefined,
  NODE_TEST_CONTEXT: undefined,
  VSCODE_PID: undefined,
} as const;

/**
 * Runs gates, and those that do not need each other at the same time. A gate is skipped if one that it needs did not pass. Whatever a command does
 * (never ends, prints without end, cannot be started), it ends with one result that says so. Never throws.
 */
export async function runGates(options: GateRunOptions): Promise<readonly GateResult[]> {
  const { plan, parallel, signal, now, onProgress } = options;
  const results = new Map<string, GateResult>(plan.map((gate) => [gate.id, waiting(gate)]));
  const all = (): readonly GateResult[] => plan.flatMap((gate) => results.get(gate.id) ?? []);
  const put = (result: GateResult): void => {
    results.set(result.id, result);
    onProgress?.(all());
  };
  const begun = new Set<string>();
  const settled = new Set<string>();
  const running = new Set<Promise<void>>();

  const start = async (gate: Gate): Promise<void> => {
    const startedAt = now();
    put({ ...waiting(gate), status: 'running', reason: '', startedAt });
    put({ ...(await runOne(gate, options)), startedAt });
    settled.add(gate.id);
  };

  for (;;) {
    for (const gate of plan) {
      if (begun.has(gate.id) || !gate.needs.every((need) => settled.has(need))) continue;
      const missing = gate.needs.filter((need) => results.get(need)?.status !== 'passed');
      if (missing.length > 0) {
        begun.add(gate.id);
        settled.add(gate.id);
        const names = missing.map((need) => results.get(need)?.name ?? need);
        put({ ...waiting(gate), status: 'skipped', reason: `needs ${names.join(', ')}` });
      } else if (signal?.aborted) {
        begun.add(gate.id);
        settled.add(gate.id);
        put({ ...waiting(gate), reason: 'cancelled' });
      } else if (running.size < Math.max(1, parallel)) {
        begun.add(gate.id);
        const run: Promise<void> = start(gate).finally(() => running.delete(run));
        running.add(run);
      }
    }
    if (running.size === 0) {
      if (begun.size >= plan.length) return all();
      // A gate that comes before others in the plan was settled above: check again.
      continue;
    }
    await Promise.race(running);
  }
}

function waiting(gate: Gate): GateResult {
  return {
    id: gate.id,
    name: gate.name,
    command: gate.command,
    status: 'not_run',
    reason: '',
    summary: '',
    failures: [],
    startedAt: 0,
    ms: 0,
    output: '',
  };
}

async function runOne(gate: Gate, options: GateRunOptions): Promise<GateResult> {
  const { processes, folder, signal } = options;
  try {
    const outcome = await processes.run({
      command: gate.command,
      shell: true,
      cwd: resolve(folder, gate.cwd ?? ''),
      env: ENVIRONMENT,
      timeoutMs: gate.timeoutMs,
      maxBytes: MAX_BYTES,
      ...(signal && { signal }),
    });
    return resultOf(gate, outcome);
  } catch (error) {
    return {
      ...waiting(gate),
      reason: `could not be started: ${error instanceof Error ? error.message : 'unknown'}`,
    };
  }
}

function resultOf(gate: Gate, outcome: ProcessOutcome): GateResult {
  const printed = `${outcome.stdout}\n${outcome.stderr}`;
  const parsed = readGateOutput(printed);
  const { status, reason } = statusOf(gate, outcome, printed);
  const total = (parsed.failed ?? 0) + (parsed.passed ?? 0) + (parsed.skipped ?? 0);
  return {
    ...waiting(gate),
    status,
    reason,
    summary: status === 'passed' || status === 'failed' ? summaryOf(parsed, outcome, status) : '',
    failures: status === 'failed' ? parsed.failures : [],
    ...(parsed.failed !== undefined && total > 0 && { failed: parsed.failed, total }),
    ms: Math.round(outcome.ms),
    output: status === 'passed' ? '' : endOf(printed),
  };
}

function statusOf(
  gate: Gate,
  { ended, code, stderr, dropped }: ProcessOutcome,
  printed: string,
): { status: GateStatus; reason: string } {
  const cut = dropped > 0 ? `, after printing ${Math.round(dropped / 1e6)} MB that were left out` : '';
  switch (ended) {
    case 'not_started':
      return {
        status: 'not_run',
        reason: `could not be started: ${stderr.split('\n')[0]?.slice(0, 200) ?? ''}`,
      };
    case 'timed_out':
      return {
        status: 'not_run',
        reason: `stopped after ${Math.round(gate.timeoutMs / 1000)} s${cut}`,
      };
    case 'cancelled':
      return { status: 'not_run', reason: 'cancelled' };
    case 'killed':
      return { status: 'not_run', reason: `ended by the system${cut}` };
    case 'exited':
      break;
  }
  if (code === 0) return { status: 'passed', reason: '' };
  // Exit codes of the shell for a missing command: the work is not wrong.
  if (code === 127 || code === 126) return { status: 'not_run', reason: 'the command was not found' };
  if (/^npm (?:ERR!|error) Missing script:/m.test(printed))
    return { status: 'not_run', reason: 'there is no such script' };
  if (code === 5 && /\bno tests (?:ran|collected)\b/.test(printed)) {
    return { status: 'skipped', reason: 'no tests were found' };
  }
  if (/: No module named (?:pytest|ruff|mypy|flake8)$/m.test(printed)) {
    return { status: 'not_run', reason: 'the command was not found' };
  }
  return { status: 'failed', reason: '' };
}

function summaryOf(parsed: GateOutput, outcome: ProcessOutcome, status: GateStatus): string {
  const { failed, passed, skipped, failures } = parsed;
  const counted = [
    failed === undefined || failed === 0 ? '' : `${failed} failed`,
    passed === undefined ? '' : `${passed} passed`,
    skipped === undefined || skipped === 0 ? '' : `${skipped} skipped`,
  ].filter((part) => part !== '');
  if (status === 'passed') return passed === undefined ? '' : counted.join(', ');
  if (failed !== undefined && failed > 0) return counted.join(', ');
  if (failures.length === 0) return `exit code ${String(outcome.code)}`;
  return failures.length === 1 ? '1 problem' : `${failures.length} problems`;
}

/** Returns the end of what was printed, from the beginning of a line on. */
function endOf(printed: string): string {
  const whole = readable(plainLines(printed).join('\n').trimEnd());
  // A secret cut off here is far before the part that is kept.
  const text = presentable(whole.slice(-REDACTED_OF_OUTPUT));
  if (text.length <= OUTPUT_KEPT) return text;
  const end = text.slice(-OUTPUT_KEPT);
  return end.slice(end.indexOf('\n') + 1);
}
