import { describe, expect, it } from 'vitest';
import { REASON_TEXTS } from '../../../../src/recover/decisions/decision';
import { isHindered, startOnRung, startVia } from '../../../../src/recover/decisions/start';
import { NOW, facts, situation } from '../kit';

const ended = { kind: 'finished', since: NOW, ended: 'died' } as const;

describe('a rung of the ladder', () => {
  it('says how the agent is started', () => {
    expect(startOnRung('feedback', facts())).toEqual({ mode: 'resume' });
    expect(startOnRung('fresh', facts())).toEqual({ mode: 'fresh' });
    expect(startOnRung('next_model', facts())).toEqual({ mode: 'fresh', model: 'opus' });
    expect(startOnRung('top_model', facts())).toEqual({ mode: 'fresh', model: 'opus', thinking: 'high' });
  });

  it('says why it starts nothing', () => {
    const why = (kind: Parameters<typeof startOnRung>[0], tiers = ['opus']) => {
      const form = startOnRung(kind, facts({ tiers }));
      return isHindered(form) ? [form.hindered, form.text] : form;
    };
    expect(why('as_is')).toEqual(['as_is', REASON_TEXTS.as_is]);
    expect(why('ask')).toEqual(['no_such_rung', REASON_TEXTS.no_such_rung]);
    expect(why('next_model', [])).toEqual(['no_models', REASON_TEXTS.no_models]);
    expect(why('top_model', [])).toEqual(['no_models', REASON_TEXTS.no_models]);
  });
});

describe('the way in which an agent is started again', () => {
  const via = (agent: Parameters<typeof situation>[0], ways = facts().ways) =>
    startVia({ mode: 'fresh' }, facts({ agent: situation(agent), ways }));

  it('is its supervisor while that runs, whatever its agent’s command line can do', () => {
    const ways = { resume: 'no way', fork: 'no way', fresh: 'no way' };
    expect(via({ supervised: true }, ways)).toEqual({ via: 'supervisor' });
    expect(via({ supervised: true, liveness: 'gone' })).toEqual({ via: 'terminal' });
  });

  it('is a terminal once its process is gone, even if only the transcript says so', () => {
    expect(via({ liveness: 'gone' })).toEqual({ via: 'terminal' });
    expect(via({ liveness: 'unknown', state: ended })).toEqual({ via: 'terminal' });
  });

  it('is a terminal after the person says that the process is gone, if that is unknown', () => {
    expect(via({ liveness: 'unknown' })).toEqual({ via: 'terminal', confirmGone: true });
  });

  it('is a terminal after a stop, if the process lives and accepts one', () => {
    expect(via({ liveness: 'alive', takes: ['nudge', 'stop'] })).toEqual({ via: 'terminal_after_stop' });
    expect(via({ liveness: 'alive', here: true, takes: ['nudge'] })).toEqual({ via: 'terminal_after_stop' });
  });

  it('is a terminal after the person closed it, if it accepts no stop', () => {
    expect(via({ liveness: 'alive', state: ended, takes: ['nudge'] })).toEqual({ via: 'terminal_after_stop' });
  });

  it('is its own terminal of this window, even if it leaves no trace of its process', () => {
    expect(via({ liveness: 'unknown', here: true, takes: [] })).toEqual({ via: 'terminal_after_stop' });
  });

  it('is a new chat for a chat of this window; a message continues the old one', () => {
    const ways = { resume: 'no way', fork: 'no way', fresh: 'no way' };
    expect(via({ inChat: true, liveness: 'unknown' }, ways)).toEqual({ via: 'chat' });
    const chat = facts({ agent: situation({ inChat: true }) });
    expect(startVia({ mode: 'resume' }, chat)).toMatchObject({ hindered: 'chat_goes_on' });
    expect(startVia({ mode: 'fork' }, chat)).toMatchObject({ hindered: 'chat_goes_on' });
  });

  it('does not exist if its command is not known', () => {
    const ways = { resume: null, fork: null, fresh: 'its command is not known' };
    expect(via({ liveness: 'gone' }, ways)).toEqual({ hindered: 'no_way_to_start', text: 'its command is not known' });
  });
});
