import { expect, it } from 'vitest';
import { namesToAllow } from '../../../../src/base/checks/names-to-allow';

it.each([
  ['rm -rf build', ['rm']],
  ['git push origin main', ['git push']],
  ['git -C /work/app commit -m "Fix it"', ['git commit']],
  ['cd app && npm run test:unit -- --watch=false', ['npm run test:unit']],
  ['npm install --save-dev vitest', ['npm install']],
  ['npx tsc --noEmit && npx eslint .', ['tsc', 'eslint']],
  ['FOO=1 timeout 60 uv run pytest -q tests', ['pytest']],
  ['git add . && git commit -m x && git add y', ['git add', 'git commit']],
  ['bash -lc "make clean && ./deploy.sh"', ['make clean', 'deploy.sh']],
  ['curl -s https://example.org | jq .name', ['curl']],
  ['python3 train.py > log.txt', ['python3']],
])('%s: a person allows %j', (command, names) => {
  expect(namesToAllow(command)).toEqual(names);
});

it.each([
  'ls -la',
  'cd src && grep -rn word . | head -5',
  'git status && git diff --stat',
  'sleep 60',
  'sleep 5; tail -n 20 server.log',
  '',
  '&& ||',
])('%s: nothing to allow, it only reads or waits', (command) => {
  expect(namesToAllow(command)).toEqual([]);
});
