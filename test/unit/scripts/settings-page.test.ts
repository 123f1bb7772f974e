import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AGENT_STATE_KINDS, WAITED_FOR } from '../../../src/core/model';

const ROOT = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly configuration: readonly { readonly properties: Readonly<Record<string, unknown>> }[];
  };
}
const { contributes } = JSON.parse(read('package.json')) as Manifest;
const texts = JSON.parse(read('package.nls.json')) as Readonly<Record<string, string>>;
const page = read('docs/settings.md').split('\n');

test.each(contributes.configuration.flatMap(({ properties }) => Object.keys(properties)))(
  'The setting %s is on the page of settings, with its text',
  (id) => {
    const [row, ...others] = page.filter((line) => line.startsWith(`| \`${id}\` |`));
    expect(others).toEqual([]);
    // Links to other settings exist only in the editor.
    const text = texts[`setting.${id.replace('unstuck.', '')}`]?.replaceAll('`#', '`').replaceAll('#`', '`');
    expect(row).toContain(text);
  },
);

test.each(contributes.commands)('The command $command is there, with its title', ({ command, title }) => {
  const [row, ...others] = page.filter((line) => line.endsWith(`| \`${command}\` |`));
  expect(others).toEqual([]);
  expect(row).toMatch(`| ${texts[title.slice(1, -1)]} |`);
});

test('Each state of an agent is there, and each thing that it can wait for', () => {
  const states = page.map((line) => /^\| `([a-z_]+)( [a-z_ ]+)?` \|/.exec(line)).filter((match) => match !== null);
  expect(new Set(states.map(([, kind]) => kind))).toEqual(new Set(AGENT_STATE_KINDS));
  const waiting = states.filter(([, kind]) => kind === 'waiting').map(([, , more]) => more?.trim().split(' ')[0]);
  expect(new Set(waiting)).toEqual(new Set(WAITED_FOR));
});
