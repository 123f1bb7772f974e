import { expect, it } from 'vitest';
import { editedInPlace } from '../../../../src/base/checks/edited-in-place';

it.each([
  ['sed -i s/a/b/ src/a.py', '/w', ['src/a.py']],
  ['cd /w && perl -pi -e s/a/b/ a.py b.py', '/w', ['a.py', 'b.py']],
  ['bash -lc "sed -i s/a/b/ a.py"', null, ['a.py']],
  ['sed -n 1,20p a.py', null, []],
  ['sed -i s/a/b/ ../a.py', '/w', []],
  ['sed -i s/a/b/ $HOME/a.py', '/w', []],
  ['sed -i s/a/b/ node_modules/x/a.js', '/w', []],
])('a command that edits files of the working folder: %s', (line, cwd, edited) => {
  expect(editedInPlace(line, cwd)).toEqual(edited);
});
