import { purposeOf } from './command';
import { segmentsOf } from './shell/segments';
import { optionsGone, unwrapped } from './shell/unwrap';
import { programName, words } from './shell/words';

/** Longer commands are read only up to this many characters. */
const READ = 16_000;
/** Nesting depth to which lines for another shell are followed: `bash -c "ssh host 'make'"`. */
const DEPTH = 3;

/** Programs that do many things: allowing one of them allows one sub-command. */
const WITH_PARTS =
  words(`git gh glab npm pnpm yarn bun deno cargo go docker podman kubectl helm terraform make gmake just task mise rake rails
  bundle pip pip3 uv poetry pdm conda dotnet gradle gradlew mvn mvnw nx turbo composer artisan mix flutter dart swift brew apt apt-get dnf
  yum apk systemctl service aws gcloud az vercel wrangler supabase firebase heroku fly flyctl prisma alembic`);
/** Sub-commands that only lead to the one behind them. */
const LEADS_ON = words('run run-script exec compose');
/** Programs that only read, but access the network: agents ask before running these too. */
const REACHES_OUT = words('curl wget http https xh gh glab');

/**
 * Lists the programs that a person would have to allow for a shell line, named the way agents remember permissions: the program, with its sub-command
 * where it has them (`git commit`, `npm run test`, `rm`). Programs that only read or wait are left out. Each name appears once.
 */
export function namesToAllow(commandLine: string): readonly string[] {
  return [...new Set(namesIn(commandLine, 0))];
}

function namesIn(commandLine: string, depth: number): readonly string[] {
  const segments = segmentsOf(commandLine.slice(0, READ));
  return segments.flatMap((segment, at) => {
    const { words: all, line } = unwrapped(segment);
    if (line !== undefined && depth < DEPTH) return namesIn(line, depth + 1);
    const program = programName(all[0] ?? '');
    switch (purposeOf(segment, segments[at - 1]?.joint === '|')) {
      case 'neutral':
      case 'wait':
        return [];
      case 'look':
        return REACHES_OUT.has(program) ? [nameOf(program, all)] : [];
      case 'check':
      case 'mutation':
      case 'other':
        return program === '' ? [] : [nameOf(program, all)];
    }
  });
}

function nameOf(program: string, all: readonly string[]): string {
  if (!WITH_PARTS.has(program)) return program;
  const [part = '', next = ''] = optionsGone(program, all.slice(1)).filter((word) => !word.startsWith('-'));
  return [program, part, LEADS_ON.has(part) ? next : ''].filter((word) => word !== '').join(' ');
}
