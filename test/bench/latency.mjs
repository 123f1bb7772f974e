// The time from an append in another process to the line, over 1000 files in 200 folders.
import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { benchFolder, buildEngine } from './support/build.mjs';
import { interleaved, median, quantile, roundsLeft, row, skipped, spread } from './support/measure.mjs';

const FILES = 1000;
const FOLDERS = 200;
const SINGLES = 150;

export async function run({ rounds, quick, tail }) {
  const raw = compileRaw();
  const followers = {
    tail: [process.execPath, join(benchFolder, 'child/follow.mjs'), 'tail', tail],
    bare: [process.execPath, join(benchFolder, 'child/follow.mjs'), 'bare', tail],
    ...(raw && { raw: [raw] }),
  };
  const results = { tail: [], bare: [], raw: [], poll: [] };
  const commands = Object.entries(followers).map(([name, command]) => [name, () => measure(command, SINGLES)]);
  Object.assign(results, await interleaved(rounds, Object.fromEntries(commands)));
  results.poll.push(await measure([process.execPath, join(benchFolder, 'child/follow.mjs'), 'poll', tail], 20));
  const bursts = [...results.tail];
  for (let extra = bursts.length; extra < (quick ? 3 : 20) && roundsLeft(2, 0) > 1; extra++)
    bursts.push(await measure(followers.tail, 0));

  const rows = [];
  const medians = (name) => results[name].map(({ singles }) => median(singles) / 1000);
  const ours = medians('tail');
  const compare = (name, what, limit) => {
    const theirs = median(medians(name));
    rows.push(
      row(
        'latency',
        `median, ${what}: ${theirs.toFixed(2)} ms`,
        `≤ ${(theirs + 1).toFixed(2)} ms`,
        spread(ours, ' ms'),
        median(ours) <= theirs + 1,
      ),
    );
    const ratios = ours.map((value, round) => value / medians(name)[round]);
    rows.push(
      row(
        'latency',
        `median / ${what}`,
        limit ? `≤ ${limit}` : '',
        spread(ratios),
        limit ? median(ratios) <= limit : undefined,
      ),
    );
  };
  if (raw) compare('raw', 'raw inotify in C', 3);
  else rows.push(skipped('latency', 'no C compiler for the raw variant'));
  compare('bare', 'bare fs.watch loop');
  const p95 = results.tail.map(({ singles }) => quantile(singles, 0.95) / 1000);
  rows.push(row('latency', 'p95', '≤ 10 ms', spread(p95, ' ms'), median(p95) <= 10));

  const alert = await toAlert(tail);
  rows.push(alert.row);
  if (raw) {
    const more = ours.map((value, round) => value - medians('raw')[round] + alert.milliseconds);
    rows.push(row('alert', 'append to alert, more than raw inotify', '≤ 1 ms', spread(more, ' ms'), median(more) <= 1));
  }

  const lost = bursts.reduce((sum, { burst }) => sum + FILES - burst.length, 0);
  const disorder = bursts.reduce((sum, result) => sum + result.disorder, 0);
  rows.push(
    row(
      'latency',
      `burst of ${FILES}: lost, twice or out of order in ${bursts.length} runs`,
      '0',
      `${lost + disorder}`,
      lost + disorder === 0,
    ),
  );
  const slowest = bursts.map(({ burst }) => Math.max(...burst) / 1000);
  rows.push(row('latency', 'burst: slowest line', '≤ 250 ms', spread(slowest, ' ms'), median(slowest) <= 250));
  const poll = median(results.poll[0].singles) / 1000;
  const times = poll / median(ours);
  rows.push(
    row('latency', `500 ms polling (median ${poll.toFixed(0)} ms) / median`, '≥ 50', times.toFixed(0), times >= 50),
  );
  return rows;
}

/** The time from the line to the alert, in a process that has just started. */
async function toAlert(tail) {
  const folder = mkdtempSync(join(tmpdir(), 'unstuck-bench-'));
  const command = [join(benchFolder, 'child/alert.mjs'), tail, await buildEngine(), folder];
  const took = JSON.parse(execFileSync(process.execPath, command, { encoding: 'utf8' }));
  rmSync(folder, { recursive: true });
  const [middle, slow] = [median(took) / 1000, quantile(took, 0.95) / 1000];
  const measured = `${middle.toFixed(2)} ms (p95 ${slow.toFixed(2)}) of ${took.length}`;
  const isMet = took.length > 100 && middle <= 1;
  return {
    milliseconds: middle,
    row: row('latency', 'line to alert, all detectors: median', '≤ 1 ms', measured, isMet),
  };
}

async function measure(command, singles) {
  const folder = mkdtempSync(join(tmpdir(), 'unstuck-bench-'));
  const paths = Array.from({ length: FILES }, (_, file) => join(folder, `f${file % FOLDERS}`, `${file}.jsonl`));
  for (let inner = 0; inner < FOLDERS; inner++) mkdirSync(join(folder, `f${inner}`));
  for (const path of paths) writeFileSync(path, '{"p":-1}\n');
  const follower = spawn(command[0], [...command.slice(1), folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  follower.stdout.setEncoding('utf8');
  await new Promise((resolve) => {
    follower.stdout.on('data', (text) => {
      output += text;
      if (output.includes('ready')) resolve();
    });
  });
  await wait(300);
  const append = (phase, file, number) =>
    appendFileSync(
      paths[file],
      `{"t":"${process.hrtime.bigint()}","p":${phase},"f":${file},"n":${number},"text":"${'x'.repeat(200)}"}\n`,
    );
  for (let single = 0; single < singles; single++) {
    append(0, (single * 37) % FILES, single);
    await wait(10 + (single % 7));
  }
  await wait(600);
  for (let file = 0; file < FILES; file++) append(1, (file * 7) % FILES, 1000 + file);
  await wait(900);
  const ended = new Promise((resolve) => follower.on('close', resolve));
  follower.kill('SIGTERM');
  await ended;
  rmSync(folder, { recursive: true });
  const seen = JSON.parse(output.trim().split('\n').at(-1));
  const last = new Map();
  let disorder = 0;
  for (const [, , file, number] of seen) {
    if ((last.get(file) ?? -1) >= number) disorder++;
    last.set(file, number);
  }
  const of = (phase) => seen.filter(([one]) => one === phase).map(([, microseconds]) => microseconds);
  return { singles: of(0), burst: of(1), disorder };
}

function compileRaw() {
  const program = join(tmpdir(), 'unstuck-bench', 'raw-inotify');
  try {
    execFileSync('cc', ['-O2', '-o', program, join(benchFolder, 'child/raw-inotify.c')], { stdio: 'ignore' });
    return program;
  } catch {
    return undefined;
  }
}
