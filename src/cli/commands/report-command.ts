import { arch, platform } from 'node:os';
import { version } from '../../../package.json';
import { registry } from '../../agents/registry';
import { readSmall } from '../../engine/follow/probe';
import { makeFixture } from '../../engine/report/fixture';
import { reportOf } from '../../engine/report/report';
import { type Incident } from '../../core/model';
import { fixtureFailureWords, fixtureWords } from '../../core/words';
import { readArguments } from '../arguments';
import type { DataPlace } from '../../base/files';
import { noteTrouble, openHistory } from '../history';
import { type Output, UsageError } from '../output';
import { sqlite } from '../sqlite';

const OPTIONS = { folder: { type: 'string' }, store: { type: 'string' }, json: { type: 'boolean' } } as const;

/** `report <incident>`: prints the incident as Markdown that can be passed on. */
export async function reportCommand(
  args: readonly string[],
  output: Output,
  place?: DataPlace,
  now: () => number = Date.now,
): Promise<number> {
  const { incident, json } = await incidentOf('report', args, output, place);
  const versions = { unstuck: version, host: `Node ${process.versions.node}`, system: `${platform()} ${arch()}` };
  const text = reportOf(incident, versions, now());
  if (json) output.line(JSON.stringify({ kind: 'report', id: incident.id, text }));
  else for (const line of text.trimEnd().split('\n')) output.line(line);
  return 0;
}

/** `fixture <incident>`: prints a generic transcript that raises the incident's alarm again. Exit code 1 if none could be made. */
export async function fixtureCommand(args: readonly string[], output: Output, place?: DataPlace): Promise<number> {
  const { incident, json } = await incidentOf('fixture', args, output, place);
  const made = await makeFixture(incident, { adapters: registry, sqlite, readSmall, breathe: () => undefined });
  const said = made.ok ? fixtureWords(incident, made.fixture) : fixtureFailureWords(made.failure);
  if (json) {
    const { text = null, preset = null, from = null } = made.ok ? made.fixture : {};
    const reason = made.ok ? null : made.failure.reason;
    output.line(JSON.stringify({ kind: 'fixture', id: incident.id, reproduced: made.ok, preset, from, reason, text }));
  } else if (made.ok) for (const line of made.fixture.text.trimEnd().split('\n')) output.line(line);
  output.note(made.ok ? said : `unstuck fixture: ${said}`);
  return made.ok ? 0 : 1;
}

/** Finds the incident with the given id in the history. */
async function incidentOf(
  command: 'report' | 'fixture',
  args: readonly string[],
  output: Output,
  place: DataPlace | undefined,
): Promise<{ readonly incident: Incident; readonly json: boolean }> {
  const { values, positionals } = readArguments(command, args, OPTIONS);
  const [id] = positionals;
  if (id === undefined || positionals.length > 1)
    throw new UsageError('usage', `unstuck ${command}: name one incident by its id. 'unstuck recall' prints the ids.`);
  const store = await openHistory(command, values, place);
  try {
    const [incident] = await store.incidents({ ids: [id] });
    noteTrouble(command, store, output);
    if (!incident) throw new UsageError('unreadable', `unstuck ${command}: the history has no incident "${id}".`);
    return { incident, json: values.json === true };
  } finally {
    await store.close();
  }
}
