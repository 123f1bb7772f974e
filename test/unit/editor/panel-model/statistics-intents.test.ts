import { describe, expect, it } from 'vitest';
import { parseStatisticsIntent } from '../../../../src/editor/panel-model/statistics-intents';

describe('a request of the statistics page', () => {
  it('is one of the known ranges', () => {
    expect(parseStatisticsIntent({ type: 'ready', days: 7, more: 1 })).toEqual({ type: 'ready', days: 7 });
    expect(parseStatisticsIntent({ type: 'range', days: 0 })).toEqual({ type: 'range', days: 0 });
  });

  it.each([null, 'ready', {}, { type: 'range' }, { type: 'range', days: 365 }, { type: 'open', days: 7 }])(
    '%j is not understood',
    (value) => {
      expect(parseStatisticsIntent(value)).toBeNull();
    },
  );
});
