import { fieldsOf, parseJson } from '../../base/util/json';
import type { ProjectFiles, GateProposal } from './proposal';

type Manager = 'npm' | 'pnpm' | 'yarn' | 'bun';

const LOCKS: readonly (readonly [file: string, manager: Manager])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
];

/** Names of scripts for each gate, the best name first. */
const SCRIPTS: readonly (readonly [id: string, names: readonly string[]])[] = [
  ['build', ['build', 'compile']],
  ['types', ['typecheck', 'type-check', 'check-types', 'check:types', 'types', 'tsc']],
  ['lint', ['lint', 'check:lint', 'eslint']],
  ['tests', ['test', 'tests', 'test:unit']],
];

/** A script that never ends, or one that `npm init` wrote. */
const NO_GATE =
  /\s(?:--watch|-w|--watchAll|--ui)\b(?!=false)|^(?:\S+\s+)?(?:nodemon|vite|next dev)\b(?! build)|no test specified/;

/** Proposes scripts of package.json, run by the package manager whose lock file is present. */
export function nodeGates({ texts, names }: ProjectFiles): GateProposal[] {
  const manifest = fieldsOf(parseJson(texts['package.json'] ?? ''));
  const scripts = fieldsOf(manifest['scripts']);
  const manager = managerOf(manifest, names);
  const found: GateProposal[] = [];
  for (const [id, candidates] of SCRIPTS) {
    const name = candidates.find((one) => {
      const script = scripts[one];
      return typeof script === 'string' && script.trim() !== '' && !NO_GATE.test(script);
    });
    if (name === undefined) continue;
    found.push({
      id,
      command: commandOf(manager, name),
      runs: bodyOf(scripts, name),
      ...(id !== 'build' && { needs: ['build'] }),
    });
  }
  return found;
}

/** Returns the script with what npm and pnpm run around it. */
function bodyOf(scripts: Readonly<Record<string, unknown>>, name: string): string {
  return [scripts[`pre${name}`], scripts[name], scripts[`post${name}`]]
    .filter((script) => typeof script === 'string')
    .join(' && ');
}

function commandOf(manager: Manager, script: string): string {
  // `bun test` is bun's own test runner.
  if (script === 'test' && manager !== 'bun') return `${manager} test`;
  return `${manager} run ${script}`;
}

function managerOf(manifest: Readonly<Record<string, unknown>>, names: ReadonlySet<string>): Manager {
  const manager = manifest['packageManager'];
  const named = typeof manager === 'string' ? /^(npm|pnpm|yarn|bun)@/.exec(manager)?.[1] : undefined;
  if (named !== undefined) return named as Manager;
  return LOCKS.find(([file]) => names.has(file))?.[1] ?? 'npm';
}
