import { expect, it } from 'vitest';
import { notesOf } from '../../../../src/editor/trees/notes';

it('there is no note below the agents if there is nothing to say', () => {
  expect(notesOf({ otherSessions: 0, unread: [], earlier: { read: 0, withIncidents: 0 } })).toEqual([]);
});

it('the notes offer sessions of other folders, name files that cannot be read, and count what was read for the history', () => {
  const notes = notesOf({
    otherSessions: 3,
    unread: [
      { adapter: { name: 'Goose' }, file: '/home/me/goose/sessions.db', why: 'locked' },
      { adapter: null, file: '/home/me/work', why: 'followed in part' },
    ],
    earlier: { read: 212, withIncidents: 9 },
  });
  expect(notes).toEqual([
    { id: 'others', text: 'Show 3 Sessions in Other Folders', command: 'unstuck.showOtherFolders', icon: 'eye' },
    { id: 'unread /home/me/goose/sessions.db', text: 'Goose: sessions.db is locked' },
    { id: 'unread /home/me/work', text: 'work is followed in part' },
    { id: 'earlier', text: 'Read 212 earlier sessions, 9 with incidents. Show', command: 'unstuck.incidents.focus' },
  ]);
});

it('the notes name five files that cannot be read, and say how many more there are', () => {
  const unread = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ adapter: { name: 'Goose' }, file: `/t/${i}.db`, why: 'locked' }));
  const texts = (count: number) =>
    notesOf({ otherSessions: 0, unread: unread(count), earlier: { read: 0, withIncidents: 9 } }).map(
      ({ text }) => text,
    );
  expect(texts(5)).toEqual([0, 1, 2, 3, 4].map((i) => `Goose: ${i}.db is locked`));
  expect(texts(7).slice(4)).toEqual(['Goose: 4.db is locked', '2 more files were not read. The log lists them.']);
});

it('the notes say what was searched and found while no agent is listed, in addition to what an empty view offers', () => {
  const elsewhere = [
    { place: '~/.claude', sessions: 3 },
    { place: '~/.codex', sessions: 1 },
  ];
  const notes = notesOf({ otherSessions: 4, elsewhere, unread: [], earlier: { read: 0, withIncidents: 0 } });
  expect(notes.map(({ text }) => text)).toEqual([
    'No agent in this folder yet',
    'Replay a Stuck Agent',
    'Connect Agent…',
    '~/.claude: 3 sessions, none in this folder',
    '~/.codex: 1 session, none in this folder',
    'Show 4 Sessions in Other Folders',
  ]);
});

it('a note leads to an agent that keeps its files elsewhere, even if others are listed', () => {
  const hidden = [{ agent: 'claude-code', name: 'Claude Code', folder: '/home/me/work/.claude' }] as const;
  const notes = (isEmpty: boolean) =>
    notesOf({ otherSessions: 0, hidden, isEmpty, unread: [], earlier: { read: 0, withIncidents: 0 } });
  const [note, ...others] = notes(false);
  expect(note).toMatchObject({
    text: 'Look for Claude Code in /home/me/work/.claude',
    command: 'unstuck.connect',
    argument: 'claude-code',
  });
  expect(others).toEqual([]);
  expect(notes(true).map(({ text }) => text)).toContain('Replay a Stuck Agent');
});
