import { html } from 'lit/html.js';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { PanelSnapshot } from '../../../../src/editor/panel-model';
import type { Local } from '../../../../src/editor/webview/panel-model';
import * as panels from './support/panel-fixtures';
import { panelOf } from './support/panel';
import { stubBrowser } from './support/browser';
import { read } from './support/read';

stubBrowser();
const { page } = await import('../../../../src/editor/webview/view/page');
afterAll(() => void vi.unstubAllGlobals());

/** The panel of an agent and its reader. */
function open(snapshot: PanelSnapshot, local: Partial<Local> = {}) {
  const { model, actions, sent, did } = panelOf(snapshot, local);
  return { ...read(page(model, actions, html`<p>The timeline.</p>`)), sent, did };
}
/** Returns what pressing a button leads to. */
function pressed(snapshot: PanelSnapshot, name: string, local: Partial<Local> = {}): unknown[] {
  const { press, sent, did } = open(snapshot, local);
  press(name);
  return [...sent, ...did];
}
const stuck = panels.stuck();

describe('a button of the panel', () => {
  it.each<[string, PanelSnapshot, unknown]>([
    ['Nudge', stuck, 'focus the message'],
    ['Open All in Transcript', stuck, { type: 'openAll' }],
    ['Compare in Editor', stuck, { type: 'compareSamples' }],
    ['Copy Output', stuck, { type: 'copySample', which: 'first' }],
    ['Open tests/test_bootstrap.py:31', stuck, { type: 'openFailure', gate: 'tests', failure: 0 }],
    ['Send to Agent: What Failed', stuck, { type: 'sendGates' }],
    ['Run Again: Quality Gates', stuck, { type: 'runGates' }],
    ['Next model', stuck, { type: 'recover', action: 'next_model' }],
    ['Ask you', stuck, { type: 'recover', action: 'ask' }],
    ['Send Nudge', stuck, 'send the message'],
    ['Show 3 Similar Incidents', stuck, { type: 'showSimilar' }],
    ['Show Why', stuck, { type: 'showSkipped' }],
    ['Calls: 214', stuck, { type: 'showCounted', thing: 'calls' }],
    ['Bash: 90', stuck, { type: 'showCounted', thing: 'calls', name: 'Bash' }],
    ['Failed calls: 23', stuck, { type: 'showCounted', thing: 'failures' }],
    ['Show malformed calls', panels.counted(), { type: 'showCounted', thing: 'malformed' }],
    ['Show Skipped Lines', panels.notMonitored(), { type: 'showSkipped' }],
    ['Show All Rules', panels.healthy(), ['change', { allRules: true }]],
    ['Restart', panels.finished('died'), { type: 'restart' }],
    ['Manage Workspace Trust', panels.restricted(), { type: 'manageTrust' }],
    ['Hold automatic recovery', panels.automatic(), { type: 'hold', on: true }],
    ['Continue automatic recovery', panels.automatic(true), { type: 'hold', on: false }],
    ['Cancel Quality Gates', panels.checking(), { type: 'cancelGates' }],
    ['Show 7 More', panels.manyFailures(), ['change', { shownFailures: ['tests'] }]],
    ['step 143', panels.healthy(), ['open step', 142]],
  ])('%s does what it says', (name, snapshot, comes) => {
    expect(pressed(snapshot, name)).toEqual([comes]);
  });

  it('opens the line of exactly that result, including the last one', () => {
    const label = (which: 'first' | 'last') => stuck.incident?.[which];
    expect(pressed(stuck, 'First result, line 1204')).toMatchObject([{ type: 'openLine', line: label('first')?.line }]);
    expect(pressed(stuck, 'Last result, line 1391')).toMatchObject([{ type: 'openLine', line: label('last')?.line }]);
    expect(pressed(stuck, '17:04:51, pytest -q, same result, line 1258')).toMatchObject([
      { type: 'openLine', line: 1258 },
    ]);
  });

  it('leads to the place where the agent is answered while it asks, and offers no nudge', () => {
    const asks: PanelSnapshot = { ...panels.waitingForPermission(), surface: 'terminal' };
    const { buttons } = open(asks);
    expect(buttons).not.toContain('Nudge');
    expect(pressed(asks, buttons[0] ?? '')).toEqual([{ type: 'goTo' }]);
    const { pid: _, ...elsewhere } = panels.waitingForPermission();
    expect(open(elsewhere).lines).toContain('Runs outside VS Code');
  });

  it('opens another incident of the session, and returns to the current state', () => {
    const [other] = panels.freed().others;
    expect(pressed(panels.freed(), 'pytest -q: same result ×22')).toEqual([{ type: 'showIncident', id: other?.id }]);
    const over: PanelSnapshot = {
      ...stuck,
      incident: { ...stuck.incident!, state: 'recovered', resolvedAt: panels.NOW, outcome: 'nudge' },
    };
    expect(pressed(over, 'Show Current State')).toEqual([{ type: 'showIncident', id: '' }]);
    // A session that is not followed has no current state.
    expect(open({ ...over, flags: { ...over.flags, past: true } }).buttons).not.toContain('Show Current State');
  });

  it('opens the line of a hint', () => {
    const hint = { why: [{ text: 'A call never fits.' }], file: '/s.jsonl', line: 7, offset: 70 };
    const hinted = { ...panels.healthy(), hints: [hint] } as unknown as PanelSnapshot;
    expect(pressed(hinted, 'Open Line')).toEqual([{ type: 'openLine', file: '/s.jsonl', line: 7, offset: 70 }]);
  });

  it('shows all rules or only the close ones, and all lines or the first ones', () => {
    expect(pressed(panels.healthy(), 'Show Close Rules Only', { allRules: true })).toEqual([
      ['change', { allRules: false }],
    ]);
    const text = Array.from({ length: 60 }, (_, at) => `line ${at}`).join('\n');
    const { first, last } = stuck.incident!;
    const many: PanelSnapshot = {
      ...stuck,
      incident: { ...stuck.incident!, first: { ...first!, text, ignored: [] }, last: { ...last!, text, ignored: [] } },
    };
    expect(pressed(many, 'Show All 60 Lines')).toEqual([['change', { allLines: true }]]);
    expect(pressed(many, 'Show Fewer Lines', { allLines: true })).toEqual([['change', { allLines: false }]]);
    expect(open(many).lines.some((line) => line.includes('line 0 line 1'))).toBe(false);
    expect(open(many, { allLines: true }).lines.filter((line) => line.includes('line 0 line 1'))).toHaveLength(2);
  });
});

describe('the panel', () => {
  const linesOf = (snapshot: PanelSnapshot) => open(snapshot).lines;

  it('shows the whole call that waits for a yes, where it would run, and a plan as it is', () => {
    const asks = panels.waitingForPermission();
    const call = { id: '1', name: 'Bash', subject: 'psql' };
    const calls = [{ ...call, command: 'psql -f 0042_billing.sql --host db' }];
    const state = { ...asks.state, calls };
    const lines = linesOf({ ...asks, cwd: '/home/dev/app', state });
    expect(lines).toEqual(expect.arrayContaining(['in /home/dev/app', 'psql -f 0042_billing.sql --host db']));
    expect(linesOf({ ...asks, state: { ...state, calls: [call] } })).toContain('psql');
    const plan = { ...asks.state, waitingFor: 'plan' as const, question: 'First the tests.' };
    expect(linesOf({ ...asks, state: plan })).toContain('First the tests.');
    // The sentence above says what the agent asks. No call of another state is shown.
    expect(linesOf({ ...stuck, state: { ...stuck.state, calls } }).join()).not.toContain('0042_billing');
  });

  it('shows the past of a session of the history, without a current state', () => {
    const { lines, buttons } = open({ ...stuck, flags: { ...stuck.flags, past: true } });
    expect(lines).toContain('This session is no longer watched. What was recorded of the incident is shown below.');
    expect(lines.some((line) => /steps seen|Context|Loop health/.test(line))).toBe(false);
    expect(buttons[0]).toBe('Recover');
  });

  it('says when the stuck call last had a new result, or any call if it is not stuck in a single one', () => {
    const lastOf = (changes: object) =>
      linesOf({ ...stuck, incident: { ...stuck.incident!, ...changes } }).find((line) => line.startsWith('Last new'));
    expect(lastOf({})).toMatch(/^Last new result of this call 8 min ago/);
    expect(lastOf({ detector: 'cycle' })).toMatch(/^Last new result 8 min ago/);
    expect(lastOf({ rule: 'sent_back' })).toMatch(/^Last new result 8 min ago/);
    expect(lastOf({ detector: 'cycle', rule: 'runs' })).toMatch(/^Last new result of this call/);
  });

  it('names each hindrance once at its top, with a way out', () => {
    const flags = { ...stuck.flags, paused: true, storeLocked: true };
    const { lines, press, sent } = open({ ...stuck, flags });
    expect(lines).toEqual(expect.arrayContaining(['Watching is paused [Resume Watching]']));
    expect(lines.join()).toContain('There is a problem with the history.');
    press('Resume Watching');
    expect(sent).toEqual([{ type: 'resume' }]);
  });

  it('offers to send the failures until a message with them is on its way, and again if that was lost', () => {
    const offers = (state: 'queued' | 'seen' | 'expired' | 'failed' | 'withdrawn', more: Partial<PanelSnapshot> = {}) =>
      open({
        ...stuck,
        gates: { ...stuck.gates!, message: 'M' },
        deliveries: panels.queued().deliveries.map((one) => ({ ...one, id: 'M', state })),
        ...more,
      }).buttons.some((one) => one.startsWith('Send to Agent'));
    expect(['queued', 'seen', 'expired', 'failed', 'withdrawn'].map((one) => offers(one as never))).toEqual([
      false,
      false,
      true,
      true,
      true,
    ]);
    expect(offers('expired', { message: null })).toBe(false);
    expect(offers('expired', { flags: { ...stuck.flags, restricted: true } })).toBe(false);
    expect(offers('expired', { gates: { ...stuck.gates!, message: 'M', verdict: 'passed' } })).toBe(false);
  });

  it('marks the lines that differ between two results, and no others', () => {
    const { first, last } = stuck.incident!;
    const of = (sample: typeof first, text: string) => ({ ...sample!, text, ignored: [] });
    const changed = { first: of(first, 'same\nred'), last: of(last, 'same\ngreen') };
    const lines = linesOf({ ...stuck, incident: { ...stuck.incident!, ...changed } });
    expect(lines.filter((line) => line.startsWith('same'))).toEqual(['same − red', 'same + green']);
  });

  it('shows the newest twenty reports of another machine, newest first', () => {
    const rows = Array.from({ length: 30 }, (_, at) => ({
      at: panels.NOW + at * 1_000,
      look: { icon: 'sync', tone: 'quiet' },
      words: `report ${at}.`,
    }));
    const lines = linesOf({ ...panels.remote(), reports: rows } as unknown as PanelSnapshot);
    const reports = lines.flatMap((line) => /report \d+\./.exec(line)?.[0] ?? []);
    expect([reports.length, reports[0], reports.at(-1)]).toEqual([20, 'report 29.', 'report 10.']);
  });
});

describe('a message', () => {
  const waits = panels.queued();
  const [delivery] = waits.deliveries;

  it.each<[string, unknown]>([
    ['Undo', { type: 'withdraw', id: delivery?.id }],
    ['Edit', ['edit', delivery?.id]],
    ['Show Text', ['change', { shownTexts: [delivery?.id] }]],
  ])('can be withdrawn while it waits: %s', (name, comes) => {
    expect(pressed(waits, name)).toEqual([comes]);
  });

  it('shows its text until it is folded', () => {
    const local = { shownTexts: ['another', delivery?.id ?? ''] };
    expect(open(waits, local).lines.join(' ')).toContain(delivery?.text.replace(/\s+/g, ' ').slice(0, 60));
    expect(open(waits).lines.join(' ')).not.toContain('Unstuck, an automated watcher');
    expect(pressed(waits, 'Hide Text', local)).toEqual([['change', { shownTexts: ['another'] }]]);
  });

  it('can be sent again if it was not taken, and leads to Connect if nothing delivers it', () => {
    expect(pressed(panels.escalated(), 'Send Again')).toMatchObject([{ type: 'sendAgain' }]);
    expect(pressed(panels.queued(false), 'Connect Agent')).toEqual([{ type: 'connect' }]);
  });

  it('is sent with Ctrl+Enter or ⌘Enter, and with no other key', () => {
    const { fire, did } = open(stuck);
    fire('textarea', 'keydown', { key: 'Enter' });
    fire('textarea', 'keydown', { key: 'a', ctrlKey: true });
    expect(did).toEqual([]);
    fire('textarea', 'keydown', { key: 'Enter', ctrlKey: true });
    fire('textarea', 'keydown', { key: 'Enter', metaKey: true });
    expect(did).toEqual(['send the message', 'send the message']);
  });

  const key = `${stuck.message?.incident}:${stuck.message?.number}`;
  it.each<[string, PanelSnapshot, Partial<Local>]>([
    ['is empty', stuck, { text: ' \n' }],
    ['is on its way already', stuck, { sent: { key, text: null, isLate: false } }],
    ['may not be sent', panels.restricted(), {}],
  ])('is not sent if it %s', (_what, snapshot, local) => {
    const { fire, did, lines } = open(snapshot, local);
    fire('textarea', 'keydown', { key: 'Enter', ctrlKey: true });
    expect(did).toEqual([]);
    expect(lines.some((line) => line.includes('[Send Nudge] (off)'))).toBe(true);
  });

  it('can be sent once more if no answer comes', () => {
    const { fire, did } = open(stuck, { sent: { key, text: null, isLate: true } });
    fire('textarea', 'keydown', { key: 'Enter', ctrlKey: true });
    expect(did).toEqual(['send the message']);
  });

  it('says who wrote its words', () => {
    const origin = (text: string | null) => open(stuck, { text }).lines.find((line) => line.includes('Ctrl+Enter'));
    expect(origin(null)).toMatch(/^Drafted from the evidence/);
    expect(origin('Look at the path.')).toMatch(/^Edited/);
  });

  it('keeps what is typed', () => {
    const { fire, did } = open(stuck);
    const target = Object.assign(new HTMLTextAreaElement(), { value: 'Look.' });
    fire('textarea', 'input', { target });
    expect(did).toEqual([['change', { text: 'Look.' }]]);
  });
});

describe('the menus', () => {
  const menu = (snapshot: PanelSnapshot, name: 'recover' | 'more') => open(snapshot, { menu: name });
  const words = (name: string, { buttons }: { readonly buttons: readonly string[] }) =>
    buttons.find((one) => one.startsWith(name)) ?? '';

  it('Recover lists what can be done, and with its reason what cannot, and does what is picked', () => {
    const { press, sent, did, ...shown } = menu(stuck, 'recover');
    press(words('Restart with opus-4.5', shown));
    press(words('Stop', shown));
    press(words('Recommended: Nudge', shown));
    expect(words('Stop', shown)).toContain('Not available until this agent is connected.');
    expect(sent).toEqual([{ type: 'recover', action: 'next_model' }]);
    expect(did).toEqual([['change', { menu: null }], ['change', { menu: null }], 'focus the message']);
    expect(open(stuck).buttons.some((one) => one.startsWith('Recommended'))).toBe(false);
  });

  it.each<[string, unknown]>([
    ['Save Checkpoint', { type: 'saveCheckpoint' }],
    ['Run Quality Gates', { type: 'runGates' }],
    ['Not Stuck', { type: 'notStuck' }],
    ['Mute for 1 Hour', { type: 'mute' }],
    ['Open Transcript', { type: 'openTranscript' }],
    ['Share…', { type: 'share' }],
    ['Rules for This Agent…', { type: 'showRules' }],
  ])('More Actions has %s', (name, intent) => {
    const { press, sent, ...shown } = menu(stuck, 'more');
    press(words(name, shown));
    expect(sent).toEqual([intent]);
  });

  it('offer nothing that would write in an untrusted folder, and no gates that are already running', () => {
    const off = menu(panels.restricted(), 'more');
    for (const name of ['Save Checkpoint', 'Run Quality Gates']) off.press(words(name, off));
    expect(off.sent).toEqual([]);
    expect(words('Save Checkpoint', off)).toContain('Nothing is saved until you trust this folder.');
    const running = menu(panels.checking(), 'more');
    running.press(words('Run Quality Gates', running));
    expect([running.sent, words('Run Quality Gates', running)]).toEqual([[], 'Run Quality Gates They are running.']);
  });

  it('offer only what can be done here for an agent on another machine, and nothing about the present once it is over', () => {
    expect(menu(panels.remote(), 'more').buttons.filter((one) => /^(Mute|Share|Save|Run|Open)/.test(one))).toEqual([
      'Mute for 1 Hour',
      'Share…',
    ]);
    const past = { ...stuck, flags: { ...stuck.flags, past: true as const } };
    expect(words('Rules', menu(past, 'more'))).toBe('');
    const over = { ...stuck, incident: { ...stuck.incident!, resolvedAt: panels.NOW } };
    expect([words('Not Stuck', menu(over, 'more')), words('Mute', menu(over, 'more'))]).toEqual(['', '']);
    const hook = { ...stuck, incident: { ...stuck.incident!, rule: 'sent_back' as const } };
    const { press, sent, ...shown } = menu(hook, 'more');
    press(words('Open Hook', shown));
    expect(sent).toEqual([{ type: 'openHook' }]);
  });

  it('open and close with their button', () => {
    vi.stubGlobal('requestAnimationFrame', () => {});
    expect(pressed(stuck, 'More Actions')).toEqual([['change', { menu: 'more' }]]);
    expect(pressed(stuck, 'More Actions', { menu: 'more' })).toEqual([['change', { menu: null }]]);
  });
});
