import type { ProjectFiles, GateProposal } from './proposal';

/** Proposes pytest, ruff, flake8 and mypy of a Python project, run in its environment as far as that is known. */
export function pythonGates(files: ProjectFiles): GateProposal[] {
  const { texts, names } = files;
  const project = texts['pyproject.toml'] ?? '';
  const config = `${texts['setup.cfg'] ?? ''}\n${texts['tox.ini'] ?? ''}`;
  const all = `${project}\n${config}`;
  const isPython = project !== '' || names.has('setup.py') || names.has('setup.cfg') || names.has('requirements.txt');
  const pytest =
    texts['pytest.ini'] !== undefined ||
    names.has('conftest.py') ||
    /^\[(?:tool\.pytest|pytest\]|tool:pytest)/m.test(all) ||
    (isPython && (/\bpytest\b/.test(all) || names.has('tests')));
  const ruff = names.has('ruff.toml') || names.has('.ruff.toml') || /^\[tool\.ruff/m.test(project);
  const flake8 = !ruff && (names.has('.flake8') || /^\[flake8\]/m.test(config));
  const mypy = names.has('mypy.ini') || names.has('.mypy.ini') || /^\[(?:tool\.)?mypy\]/m.test(all);
  const run = runner(files);
  return [
    ...(mypy ? [{ id: 'types', command: run('mypy', '.') }] : []),
    ...(ruff ? [{ id: 'lint', command: run('ruff', 'check .') }] : []),
    ...(flake8 ? [{ id: 'lint', command: run('flake8') }] : []),
    ...(pytest ? [{ id: 'tests', command: run('pytest', '-q') }] : []),
  ];
}

/** Prefers the tool whose lock file is present, otherwise the environment in the folder, otherwise the programs on the path. */
function runner({ names, has }: ProjectFiles): (module: string, args?: string) => string {
  const through = (prefix: string) => (module: string, args?: string) =>
    [prefix, module, args].filter(Boolean).join(' ');
  if (names.has('uv.lock')) return through('uv run');
  if (names.has('poetry.lock')) return through('poetry run');
  if (names.has('pdm.lock')) return through('pdm run');
  if (names.has('Pipfile.lock')) return through('pipenv run');
  for (const folder of ['.venv', 'venv']) {
    if (has(`${folder}/bin/python`)) return through(`${folder}/bin/python -m`);
    if (has(`${folder}/Scripts/python.exe`)) return through(`${folder}\\Scripts\\python.exe -m`);
  }
  return through('python3 -m');
}
