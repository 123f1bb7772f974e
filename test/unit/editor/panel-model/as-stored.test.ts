import { describe, expect, it } from 'vitest';
import { panelSnapshot } from '../../../../src/editor/panel-model/build';
import { plain } from '../../../../src/core/words';
import * as fixtures from '../webview/support/panel-fixtures';

const withoutQuotes = (text: string) => text.replaceAll('`', '');

function shown(over: Parameters<typeof fixtures.incident>[0]) {
  const { view, ...rest } = fixtures.stuckInput();
  const { incident } = panelSnapshot({ ...rest, view: { ...view, incidents: [fixtures.incident(over)] } });
  if (!incident) throw new Error('no incident is shown');
  return incident;
}

describe('stored evidence is shown as it was stored', () => {
  it('even if the output of a tool reads like a sentence of the interface', () => {
    const why = '`deploy` ran 6 times in a row with the same arguments and result. The result: Nothing was sent';
    const [first, ...others] = fixtures.incident().evidence;
    if (!first) throw new Error('the fixture has no evidence');
    const incident = shown({ why, evidence: [{ ...first, text: 'Nothing was sent' }, ...others] });
    expect(plain(incident.why)).toBe(withoutQuotes(why));
    expect(incident.evidence[0]?.text).toBe('Nothing was sent');
  });

  it('even if a command contains the sentence of a rule, with another count', () => {
    const subject = 'echo "` ran 3 times in a row with the same arguments and result."';
    const why = `\`${subject}\` ran 6 times in a row with the same arguments and result.`;
    const incident = shown({ why, subject });
    expect(withoutQuotes(plain(incident.why))).toBe(withoutQuotes(why));
    expect(incident.subject).toBe(subject);
  });
});
