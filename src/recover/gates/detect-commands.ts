import { type ProjectFiles, type GateProposal } from './proposal';
import { type Gate, GATE_TIMEOUT_MS } from './gate';
import { nodeGates } from './detect-node';
import { pythonGates } from './detect-python';

/** Files of a folder from which gates are proposed. */
export const READ_FILES: readonly string[] = [
  'package.json',
  'pyproject.toml',
  'setup.cfg',
  'tox.ini',
  'pytest.ini',
  'Cargo.toml',
  'go.mod',
  'Makefile',
  'makefile',
  'GNUmakefile',
];

/**
 * Proposes quality gates that a folder's own files suggest: build, types, lint and tests of npm, pnpm, yarn, bun, Python, Cargo and Go, and the
 * targets of a Makefile for what those do not have. Proposals only: they run after the user agreed to the exact commands. Never throws.
 *
 * @param timeoutMs how long each may take.
 */
export function detectGates(files: ProjectFiles, timeoutMs = GATE_TIMEOUT_MS): readonly Gate[] {
  const families: (readonly GateProposal[])[] = [
    nodeGates(files),
    pythonGates(files),
    cargoGates(files),
    goGates(files),
  ];
  const there = families.filter((family) => family.length > 0);
  const several = there.length > 1;
  const prefixes = ['node', 'python', 'cargo', 'go'];
  const gates = families.flatMap((family, index) => {
    const prefix = several ? `${prefixes[index]}-` : '';
    return family.map((proposal) => gateOf(proposal, family, prefix, timeoutMs));
  });
  const ids = new Set(gates.map((gate) => gate.id));
  const make = makeGates(files).filter(({ id }) => ![...ids].some((other) => other === id || other.endsWith(`-${id}`)));
  return [...gates, ...make.map((proposal) => gateOf(proposal, make, '', timeoutMs))];
}

function gateOf(proposal: GateProposal, family: readonly GateProposal[], prefix: string, timeoutMs: number): Gate {
  const { id, command, runs, needs = [] } = proposal;
  const there = needs.filter((need) => family.some((other) => other.id === need));
  return {
    id: `${prefix}${id}`,
    name: prefix === '' ? id : `${id} (${prefix.slice(0, -1)})`,
    command,
    ...(runs !== undefined && { runs }),
    needs: there.map((need) => `${prefix}${need}`),
    timeoutMs,
  };
}

function cargoGates({ texts }: ProjectFiles): GateProposal[] {
  const manifest = texts['Cargo.toml'];
  if (manifest === undefined) return [];
  const lint = /^\[(?:workspace\.)?lints\b/m.test(manifest);
  return [
    { id: 'build', command: 'cargo build --all-targets' },
    ...(lint ? [{ id: 'lint', command: 'cargo clippy --all-targets', needs: ['build'] }] : []),
    { id: 'tests', command: 'cargo test', needs: ['build'] },
  ];
}

function goGates({ texts }: ProjectFiles): GateProposal[] {
  if (texts['go.mod'] === undefined) return [];
  return [
    { id: 'build', command: 'go build ./...' },
    { id: 'lint', command: 'go vet ./...', needs: ['build'] },
    { id: 'tests', command: 'go test ./...', needs: ['build'] },
  ];
}

const TARGETS: readonly (readonly [target: string, id: string])[] = [
  ['build', 'build'],
  ['typecheck', 'types'],
  ['lint', 'lint'],
  ['test', 'tests'],
  ['tests', 'tests'],
  ['check', 'check'],
];

function makeGates({ texts }: ProjectFiles): GateProposal[] {
  const makefile = texts['GNUmakefile'] ?? texts['makefile'] ?? texts['Makefile'];
  if (makefile === undefined) return [];
  const lines = makefile.split('\n');
  const found: GateProposal[] = [];
  for (const [target, id] of TARGETS) {
    const start = lines.findIndex((line) => new RegExp(`^${target}\\s*:(?!:{0,2}=)`).test(line));
    if (start < 0 || found.some((other) => other.id === id)) continue;
    const rest = lines.slice(start + 1);
    const end = rest.findIndex((line) => !/^\t|^\s*$|^\s*#/.test(line));
    const recipe = [lines[start] ?? '', ...rest.slice(0, end < 0 ? rest.length : end)].map((line) => line.trim());
    found.push({
      id,
      command: `make ${target}`,
      runs: recipe.filter((line) => line !== '').join('; '),
      ...(id !== 'build' && { needs: ['build'] }),
    });
  }
  // `check` usually runs the others.
  return found.length > 1 ? found.filter(({ id }) => id !== 'check') : found;
}
