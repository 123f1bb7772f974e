import { describe, expect, it } from 'vitest';
import { vscodeChat } from '../../../../src/agents/vscode-chat/adapter';
import { LOG, SESSION, TRANSCRIPT, record, request, whole } from './kit';

const STORAGE = '/home/u/.config/Code/User/workspaceStorage';
const paths = (environment: Parameters<typeof vscodeChat.locate>[0]) =>
  vscodeChat.locate(environment).map(({ path }) => path);

describe('the place of sessions of the chat agent', () => {
  it('is known for each system and build', () => {
    const linux = paths({ home: '/home/u', env: {}, platform: 'linux' });
    expect(linux).toContain(STORAGE);
    expect(linux).toContain('/home/u/.config/Code - Insiders/User/workspaceStorage');
    expect(linux).toContain('/home/u/.config/VSCodium/User/workspaceStorage');
    expect(linux).toContain('/home/u/.vscode-server/data/User/workspaceStorage');
    expect(paths({ home: '/Users/u', env: {}, platform: 'darwin' })).toContain(
      '/Users/u/Library/Application Support/Code/User/workspaceStorage',
    );
    expect(paths({ home: '/home/u', env: { VSCODE_PORTABLE: '/opt/code/data' }, platform: 'linux' })).toContain(
      '/opt/code/data/user-data/User/workspaceStorage',
    );
    const windows = {
      home: 'C:\\Users\\u',
      env: { APPDATA: 'C:\\Users\\u\\AppData\\Roaming' },
      platform: 'win32',
    } as const;
    expect(paths(windows)).toContain('C:\\Users\\u\\AppData\\Roaming/Code/User/workspaceStorage');
  });

  it('is this window’s own storage first, whose sessions work in the open folder', () => {
    const editor = { storage: `${STORAGE}/abc`, folder: '/proj' };
    const [own, code] = vscodeChat.locate({ home: '/home/u', env: {}, platform: 'linux', editor });
    expect(own).toMatchObject({ path: `${STORAGE}/abc`, cwd: '/proj' });
    expect(own?.matches(`chatSessions/${SESSION}.jsonl`)).toBe(true);
    expect(own?.matches(`GitHub.copilot-chat/transcripts/${SESSION}.jsonl`)).toBe(true);
    expect(own?.matches(`GitHub.copilot-chat/debug-logs/${SESSION}/main.jsonl`)).toBe(false);
    expect(own?.enters?.('chatEditingSessions')).toBe(false);
    expect(code?.path).toBe(STORAGE);
    expect(code?.enters?.('abc')).toBe(false);
    expect(code?.enters?.('def')).toBe(true);
    expect(code?.enters?.('def/some.extension')).toBe(false);
  });

  it('includes the folders of other windows, named in their storage', () => {
    const head = JSON.stringify(whole(request('Go')));
    const peek = (folder: string) => vscodeChat.peek(head, LOG, () => JSON.stringify({ folder })).cwd;
    expect(peek('file:///home/u/my%20work')).toBe('/home/u/my work');
    expect(peek('file:///c%3A/work')).toBe('c:/work');
    expect(peek('vscode-remote://ssh-remote%2Bhost/proj')).toBeUndefined();
    expect(peek('file:///%E0%A4%A')).toBeUndefined();
    expect(vscodeChat.peek(head, LOG, () => 'no JSON').cwd).toBeUndefined();
  });

  it('has the two files of a session, and no third one', () => {
    expect(vscodeChat.files?.(TRANSCRIPT, undefined)).toEqual(vscodeChat.files?.(LOG, undefined));
    expect(vscodeChat.files?.(LOG, undefined)).toMatchObject({ main: TRANSCRIPT });
    expect(vscodeChat.files?.('/somewhere/else.jsonl', undefined)).toEqual({
      main: '/somewhere/else.jsonl',
      companions: [],
    });
  });

  it('is distinguished from the records of Copilot CLI, which look alike', () => {
    const start = JSON.stringify(record.start());
    expect(vscodeChat.recognises(start, '/copy/x.jsonl')).toBe('yes');
    expect(
      vscodeChat.recognises(start.replace('"vscodeVersion":"1.139.1"', '"copilotVersion":"1.0.102"'), '/copy/x.jsonl'),
    ).toBe('no');
    expect(vscodeChat.recognises('{"kind":1,"k":["requests"],"v":[]}', LOG)).toBe('yes');
    expect(vscodeChat.recognises('{"kind":1,"k":["requests"],"v":[]}', '/x/y.jsonl')).toBe('no');
  });
});
