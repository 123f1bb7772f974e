import { expect, it } from 'vitest';
import { editorData } from '../../../../src/base/files';

it('each editor of the VS Code family keeps a person’s data in a folder of its name', () => {
  const of = (platform: NodeJS.Platform, env: Record<string, string> = {}) =>
    editorData({ home: '/home/u', env, platform }).slice(0, 2);
  expect(of('linux')).toEqual(['/home/u/.config/Code', '/home/u/.config/Code - Insiders']);
  expect(of('linux', { XDG_CONFIG_HOME: '/data' })).toEqual(['/data/Code', '/data/Code - Insiders']);
  expect(of('linux', { XDG_CONFIG_HOME: '' })[0]).toBe('/home/u/.config/Code');
  expect(of('darwin')[0]).toBe('/home/u/Library/Application Support/Code');
  expect(of('win32')[0]).toBe('/home/u/AppData/Roaming/Code');
  expect(of('win32', { APPDATA: 'D:/Data' })[0]).toBe('D:/Data/Code');
});

it('portable editors and servers have folders of their own', () => {
  const place = { home: '/home/u', env: { VSCODE_PORTABLE: '/opt/code/data' }, platform: 'linux' } as const;
  expect(editorData(place, ['Code'])).toEqual([
    '/opt/code/data/user-data',
    '/home/u/.config/Code',
    '/home/u/.vscode-server/data',
    '/home/u/.vscode-server-insiders/data',
    '/home/u/.vscodium-server/data',
    '/home/u/.local/share/code-server',
  ]);
});
