import { expect, it } from 'vitest';
import { DrawnRows } from '../../../../src/editor/trees/drawn-rows';

it('a row keeps its object while its content changes: VS Code recognises it by that', () => {
  const rows = new DrawnRows<{ title: string }>();
  const row = rows.draw('s', { title: 'one' }, 'one');
  expect(rows.draw('s', { title: 'two' }, 'two')).toBe(row);
  expect(row.title).toBe('two');
});

it('a row is redrawn only if it looks different from what was drawn', () => {
  const rows = new DrawnRows<{ title: string; age: number }>();
  const row = rows.draw('s', { title: 'one', age: 1 }, 'one');
  expect(rows.update('s', { title: 'one', age: 2 }, () => 'one')).toBeUndefined();
  expect(row.age).toBe(2);
  expect(rows.update('s', { title: 'two', age: 3 }, () => 'two')).toBe(row);
  expect(rows.update('s', { title: 'two', age: 4 }, () => 'two')).toBeUndefined();
});

it('a row that was never drawn is not redrawn on its own', () => {
  const rows = new DrawnRows<{ title: string }>();
  expect(rows.update('s', { title: 'one' }, () => 'one')).toBeUndefined();
});
