import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChildModule, inChild } from './in-child';
import { layTrap, TRAPS } from './traps';

/**
 * Every reader of a file that others may have made, with a pipe, a device, a socket, a folder or a gigabyte in its place. A pipe as `.git` once
 * stopped every window with an agent below it, and a link to /dev/zero filled the memory.
 */
interface Reader {
  readonly name: string;
  /** The place of the trap below the folder `a`. */
  readonly at: string;
  readonly expression: string;
  readonly result: unknown;
}

const READERS: readonly Reader[] = [
  {
    name: '.git above the folder of an agent',
    at: 'work/.git',
    expression: `m.inboxRoots([a], a + '/work/deep')`,
    result: ['<a>'],
  },
  {
    name: 'receipts of an inbox',
    at: '.unstuck/inbox/s1/receipts.jsonl',
    expression: `m.readReceipts(m.inboxFolder(a, 's1')).then(({ ok, error }) => [ok, error?.code])`,
    result: [false, 'io'],
  },
  {
    name: 'receipts that are written',
    at: '.unstuck/inbox/s1/receipts.jsonl',
    expression: `m.appendReceipt(m.inboxFolder(a, 's1'), m.receipt('x', 'taken', 'test', 0)).then(({ ok }) => ok)`,
    result: false,
  },
  {
    name: 'state of the gates',
    at: '.unstuck/inbox/s1/gate.json',
    expression: `m.readGateFile(a, 's1').then((state) => [state, m.removeGateFile(a, 's1', 1) ?? null])`,
    result: [null, null],
  },
  {
    name: 'queued message',
    at: '.unstuck/inbox/s1/new/01ARZ3NDEKTSV4RRFFQ69G5FAV.json',
    expression: `m.readMessages(a + '/.unstuck/inbox/s1/new').then(({ found, problems }) => [found.length, problems.length])`,
    result: [0, 1],
  },
  {
    name: 'settings of an agent',
    at: '.claude/settings.json',
    expression: `m.readSettingsFile(a + '/.claude/settings.json', 'project').then(({ ok }) => ok)`,
    result: false,
  },
  {
    name: 'registry of running sessions',
    at: 'sessions/1.json',
    expression: `m.systemProbe.read(a + '/sessions/1.json') ?? 'nothing'`,
    result: 'nothing',
  },
  {
    name: 'manifest of a project',
    at: 'package.json',
    expression: `m.projectFiles(a).then(({ texts }) => Object.keys(texts).length)`,
    result: 0,
  },
  {
    name: 'git index of a checkpoint',
    at: 'index',
    // A device is placed as a link to it, and a link is copied as its target.
    expression: `m.systemCheckpointFiles.copy(a, 'index', a + '/copy', 1024).then((size) => size === 'special' || size === '/dev/zero'.length)`,
    result: true,
  },
  {
    name: 'transcript that is read to its end',
    at: 'session.jsonl',
    expression: `m.readWholeFile(a + '/session.jsonl', { unit: 'document', markers: [] }).then(() => 'read', (error) => typeof error.code)`,
    result: 'string',
  },
  {
    name: 'transcript in a folder that is scanned',
    at: 'named.jsonl',
    expression: `m.findTranscripts('scan', [a], m.ADAPTERS).found.length`,
    result: 0,
  },
];

describe.skipIf(process.platform === 'win32').each(TRAPS)('%s', (kind) => {
  const home = mkdtempSync(join(tmpdir(), 'unstuck-traps-'));
  let child: ChildModule;
  beforeAll(async () => {
    child = await inChild(`
      export { inboxRoots } from './src/agents/inbox/root';
      export { inboxFolder } from './src/agents/inbox/folder';
      export { appendReceipt, readReceipts, receipt } from './src/agents/inbox/messages/receipts';
      export { readGateFile, removeGateFile } from './src/agents/inbox/gate-file';
      export { readMessages } from './src/agents/inbox/messages/waiting';
      export { readSettingsFile } from './src/agents/shared/connect/settings-file';
      export { systemProbe } from './src/engine/follow/probe';
      export { projectFiles } from './src/recover/gates/project-files';
      export { systemCheckpointFiles } from './src/recover/checkpoint/system-files';
      export { readWholeFile } from './src/base/tail';
      export { findTranscripts } from './src/cli/find';
      export { registry as ADAPTERS } from './src/agents/registry';
    `);
  });
  afterAll(() => {
    child.dispose();
    rmSync(home, { recursive: true, force: true });
  });

  // Large files may be copied and appended to: only reading them has a limit.
  const readers = READERS.filter(({ name }) => kind !== 'huge' || !/index|written/.test(name));

  it.each(readers)('$name', async ({ at, expression, result }) => {
    const place = mkdtempSync(join(home, 'f'));
    const path = join(place, at);
    mkdirSync(join(place, 'work/deep'), { recursive: true });
    mkdirSync(dirname(path), { recursive: true });
    const server = await layTrap(kind, path);
    try {
      const { value, megabytes } = await child.run(expression, place);
      const expected = JSON.parse(JSON.stringify(result).replaceAll('<a>', place)) as unknown;
      if (kind === 'device' && JSON.stringify(expected) === '[false,"io"]')
        expect(value).toEqual([false, 'symbolic_link']);
      else if (kind === 'huge' && at.endsWith('receipts.jsonl')) expect((value as unknown[])[0]).toBe(true);
      else expect(value).toEqual(expected);
      expect(megabytes).toBeLessThan(400);
    } finally {
      server?.close();
    }
  });
});
