// Measures how much confidence is worth: runs `scan` over labelled runs, takes the gravest alert of each, and compares the share of runs that were
// stuck at each level with the constants in src/detect/streaks/confidence.ts. Usage: npm run build && npm run bench -- calibrate [FOLDER]
//
// Ambiguous runs are left out, and so are alerts that do not claim that an agent is stuck. For the collected sessions, which are almost never stuck,
// a reader judged the alerts: a session is stuck if one of its alerts is right, and left out if one is debatable.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { calibrationError, isMeasured, leaveOneOutError, shares } from './support/calibration.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const folder = resolve(process.argv[2] ?? join(root, '../shared/eval'));
const program = join(root, 'dist/cli.js');
/** A larger error over the labelled runs, each left out once, fails the command. */
const GOAL = 0.06;
/** Rules whose warnings report a fact or an outage; they do not claim that an agent is stuck. A new one of that kind belongs here. */
const ADVICE = new Set(
  'oversized_response gate_blocked premature_action over_helpfulness context_pollution rate_limited'.split(' '),
);
const SETS = ['dev', 'dev2', 'dev3'];

if (!existsSync(join(folder, 'dev-labels.jsonl'))) {
  console.log(`skipped: ${folder} is absent, and with it the labelled runs`);
  process.exit(0);
}
if (!existsSync(program)) {
  console.log('dist/cli.js is absent: run `npm run build` first');
  process.exit(1);
}

const readLines = (path) => readFileSync(path, 'utf8').trim().split('\n').map(JSON.parse);

function scan(paths) {
  const { stdout, status, stderr } = spawnSync(process.execPath, [program, 'scan', ...paths, '--json'], {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  if (status !== 0 && status !== 1) throw new Error(`scan ended with ${status}: ${stderr}`);
  return stdout.split('\n').filter(Boolean).map(JSON.parse);
}

/** The gravest level among the alerts that claim that an agent is stuck; null if there is none. */
function levelOf(incidents) {
  const claims = incidents.filter(({ detector }) => !ADVICE.has(detector));
  if (claims.length === 0) return null;
  return claims.some(({ level }) => level === 'stuck') ? 'stuck' : 'warn';
}

function labelled(set) {
  const labels = readLines(join(folder, `${set}-labels.jsonl`)).filter(({ stuck }) => stuck !== 'ambiguous');
  const records = scan(labels.map(({ file }) => resolve(folder, '..', file)));
  return labels.flatMap(({ file, stuck }) => {
    const level = levelOf(records.filter((one) => one.kind === 'incident' && basename(one.file) === basename(file)));
    return level === null ? [] : [{ level, stuck: stuck === 'yes' }];
  });
}

function collected() {
  const from = join(folder, 'wild');
  const to = join(tmpdir(), 'unstuck-wild-eval');
  mkdirSync(to, { recursive: true });
  for (const archive of readdirSync(from).filter((name) => name.endsWith('.tar.xz'))) {
    const done = join(to, `${archive}.done`);
    if (existsSync(done)) continue;
    execFileSync('tar', ['-xJf', join(from, archive), '-C', to]);
    writeFileSync(done, '');
  }
  const rows = readLines(join(from, 'labels.jsonl'));
  const files = new Set(rows.filter(({ kind }) => kind === 'file').map(({ file }) => file));
  const incidents = [...new Set([...files].map((file) => file.split('/')[0]))]
    .flatMap((repository) => scan([join(to, repository)]))
    .filter(({ kind }) => kind === 'incident')
    .map((one) => ({ ...one, file: relative(to, one.file) }));
  return [...files].flatMap((file) => {
    const level = levelOf(incidents.filter((one) => one.file === file));
    const verdicts = rows.filter((row) => row.kind === 'alert' && row.file === file).map(({ verdict }) => verdict);
    const stuck = verdicts.includes('right');
    return level === null || (!stuck && verdicts.includes('debatable')) ? [] : [{ level, stuck }];
  });
}

async function constantsInCode() {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'src/detect/streaks/confidence.ts')],
    bundle: true,
    format: 'esm',
    write: false,
  });
  const code = Buffer.from(outputFiles[0].contents).toString('base64');
  return (await import(`data:text/javascript;base64,${code}`)).CONFIDENCE;
}

const CONFIDENCE = await constantsInCode();
const sets = new Map(
  SETS.filter((set) => existsSync(join(folder, `${set}-labels.jsonl`))).map((set) => [set, labelled(set)]),
);
const labelledRuns = [...sets.values()].flat();
if (existsSync(join(folder, 'wild'))) sets.set('collected', collected());

const all = [...sets.values()].flat();
const measured = shares(all);
for (const [name, runs] of [...sets, ['labelled', labelledRuns], ['all', all]]) {
  const count = (level) => {
    const at = runs.filter((run) => run.level === level);
    return `${at.filter(({ stuck }) => stuck).length} of ${at.length}`.padEnd(9);
  };
  const said = calibrationError(runs.map(({ level, stuck }) => ({ said: CONFIDENCE[level], stuck })));
  console.log(
    `${name.padEnd(10)} right at stuck ${count('stuck')} right at warn ${count('warn')} calibration error ${said.toFixed(3)}, each run left out once ${leaveOneOutError(runs, all).toFixed(3)}`,
  );
}
const error = leaveOneOutError(labelledRuns, all);
console.log(`\nmeasured: stuck ${measured.stuck.toFixed(3)}, warn ${measured.warn.toFixed(3)}`);
console.log(`in the code: stuck ${CONFIDENCE.stuck}, warn ${CONFIDENCE.warn}`);
const agrees = isMeasured(CONFIDENCE, measured);
if (!agrees) console.log('\nthe constants in src/detect/streaks/confidence.ts are not the measured shares');
if (error > GOAL) console.log(`\nthe error over the labelled runs is above ${GOAL}`);
process.exit(agrees && error <= GOAL ? 0 : 1);
