import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = resolve(__dirname, '../..');

interface Surroundings {
  readonly folder: string;
  readonly umask: string;
  readonly fileTime: Date;
  readonly environment: Readonly<Record<string, string>>;
}

/** A copy of the tracked and the new files, as a fresh checkout has them. */
function checkout({ folder, fileTime }: Surroundings): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  for (const file of listed.toString().split('\0').filter(Boolean)) {
    cpSync(join(root, file), join(folder, file), { recursive: true });
    utimesSync(join(folder, file), fileTime, fileTime);
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
}

function build({ folder, umask, environment }: Surroundings): void {
  const steps = `umask ${umask} && node esbuild.mjs && node scripts/supply/sbom.mjs && node scripts/package.mjs`;
  execFileSync('sh', ['-c', steps], { cwd: folder, env: { ...process.env, ...environment }, stdio: 'pipe' });
}

const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

describe('two builds of the same sources', () => {
  const parent = mkdtempSync(join(tmpdir(), 'unstuck-reproducible-'));
  const here: Surroundings = {
    folder: join(parent, 'a'),
    umask: '022',
    fileTime: new Date('2024-02-29T23:59:59Z'),
    environment: { TZ: 'UTC', LANG: 'C' },
  };
  const elsewhere: Surroundings = {
    folder: join(parent, 'another folder, with a longer name'),
    umask: '077',
    fileTime: new Date('2031-07-01T04:05:06Z'),
    environment: {
      TZ: 'Pacific/Kiritimati',
      LANG: 'sv_SE.UTF-8',
      LC_ALL: 'sv_SE.UTF-8',
      NODE_OPTIONS: `--require "${join(__dirname, 'another-time.cjs')}"`,
    },
  };

  beforeAll(() => {
    for (const surroundings of [here, elsewhere]) {
      checkout(surroundings);
      build(surroundings);
    }
  });
  afterAll(() => rmSync(parent, { recursive: true }));

  it('produce the same file, byte for byte, whatever the folder, clock, time zone, language and umask', () => {
    const built = readdirSync(join(here.folder, 'dist'), { recursive: true, encoding: 'utf8' })
      .filter((path) => statSync(join(here.folder, 'dist', path)).isFile())
      .sort();
    expect(built).toContain('unstuck.vsix');
    expect(built).toContain('unstuck.cdx.json');
    const sums = ({ folder }: Surroundings) => built.map((file) => `${file} ${sha256(join(folder, 'dist', file))}`);
    expect(sums(elsewhere)).toEqual(sums(here));
  });

  it('take the compiled SQLite from its package unchanged', () => {
    const shipped = sha256(join(here.folder, 'dist/sql-wasm.wasm'));
    expect(shipped).toBe(sha256(join(root, 'node_modules/sql.js/dist/sql-wasm.wasm')));
    expect(readFileSync(join(root, 'THIRD_PARTY_NOTICES.txt'), 'utf8')).toContain(`sha256 ${shipped}`);
  });
});
