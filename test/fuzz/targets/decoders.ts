import { ownCallsOf } from '../../../src/agents/own-calls';
import type { AgentAdapter } from '../../../src/agents/adapter';
import { registry } from '../../../src/agents/registry';
import type { AgentEvent } from '../../../src/core/model';
import { createEventCheck } from '../../unit/agents/fuzz';
import { mutateLines, mutateRecord } from '../mutate';
import { decoded } from '../reading';
import { passagesOf, type SeedFile, textsBelow } from '../seeds';
import type { FuzzTarget } from '../target';

/** Maximum length of a file's beginning that is read to recognise its agent. */
const HEAD = 65_536;

/** Transcripts of all agents: those of the golden files, and short ones for the agents that have none there. */
export function transcripts(more: readonly string[] = []): readonly SeedFile[] {
  return textsBelow('test/golden/fixtures', 'test/fuzz/seeds', 'media/demo', ...more);
}

/** The files that an adapter recognises, in pieces small enough to be read often. */
function seedsOf(adapter: AgentAdapter, files: readonly SeedFile[]): string[] {
  const own = files.filter(({ name, text }) => adapter.recognises(text.slice(0, HEAD), name) !== 'no');
  if (adapter.unit === 'line') return own.flatMap(({ text }) => passagesOf(text));
  return own.flatMap(({ text }) => (text.length < HEAD ? [text] : []));
}

/** One target for each transcript format that is text. */
export function decoderTargets(files: readonly SeedFile[]): FuzzTarget[] {
  const seen = new Map<string, number>();
  return registry
    .filter(({ unit }) => unit !== 'database')
    .map((adapter) => {
      const form = (seen.get(adapter.id) ?? 0) + 1;
      seen.set(adapter.id, form);
      return {
        name: `decoders/${adapter.id}${form > 1 ? `-${form}` : ''}`,
        counts: 'lines',
        seeds: seedsOf(adapter, files),
        mutate: (input, other, random) =>
          adapter.unit === 'document' && !random.once(4)
            ? mutateRecord(input, random)
            : mutateLines(input, other, random),
        run(input, stopwatch) {
          // The generic transcript is reported as it is in the file.
          const check = createEventCheck(adapter.id !== 'generic');
          const ownCalls = ownCallsOf(adapter);
          stopwatch.step(() => adapter.recognises(input.slice(0, HEAD), '/work/session.jsonl'));
          stopwatch.step(() => adapter.peek(input.slice(0, HEAD), '/work/session.jsonl'));
          stopwatch.step(() => ownCalls(input.slice(0, HEAD), 1));
          const sink = {
            event: (event: AgentEvent) => check(event),
            problem: ({ why }: { readonly why: string }) => {
              if (why === '' || why.length > 1_000) throw new Error(`a problem that says ${why.length} characters`);
            },
          };
          return decoded(adapter, input, sink, stopwatch);
        },
      };
    });
}
