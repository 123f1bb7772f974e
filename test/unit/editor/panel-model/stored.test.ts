import { expect, it } from 'vitest';
import { STORED_VERSION, storedPlace } from '../../../../src/editor/panel-model';

it('a panel is restored with its agent and the incident that it showed', () => {
  expect(storedPlace({ version: STORED_VERSION, session: 's', incident: 'A' })).toEqual({
    session: 's',
    incident: 'A',
  });
  expect(storedPlace({ version: STORED_VERSION, session: 's', incident: 7 })).toStrictEqual({ session: 's' });
  expect(storedPlace({ version: STORED_VERSION, session: 's' })).toStrictEqual({ session: 's' });
});

it('nothing is restored from another version, or if nothing was stored', () => {
  expect(storedPlace({ version: STORED_VERSION - 1, session: 's' })).toBeNull();
  expect(storedPlace({ version: STORED_VERSION, session: 7 })).toBeNull();
  expect(storedPlace({ session: 's' })).toBeNull();
  expect(storedPlace(null)).toBeNull();
  expect(storedPlace(undefined)).toBeNull();
});
