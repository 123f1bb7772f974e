import { describe, expect, it } from 'vitest';
import { touchesOf } from '../../../../src/base/checks/touches';

describe('a script that a command runs', () => {
  it.each([
    ['python3 tools/make.py', null, ['tools/make.py']],
    ['python3 ../make.py', null, []],
    ['python3 ../../make.py', null, []],
    ['python3 ../make.py', '/w/app', []],
    ['python3 /w/app/tools/make.py', '/w/app', ['tools/make.py']],
  ])('is looked at first only where it lies in the working folder: %s in %s', (line, cwd, looked) => {
    const scripts = touchesOf(line, cwd).map(({ what }) => what.replace('/w/app/', ''));
    expect(scripts).toEqual(looked);
  });
});
