import { describe, expect, test } from 'vitest';
import { ignoredRanges } from '../../../../src/detect/sayings/mask';

/** The text with the ignored parts written as `…`. */
function masked(text: string): string {
  let shown = '';
  let at = 0;
  for (const [start, end] of ignoredRanges(text, false)) {
    shown += `${text.slice(at, start)}…`;
    at = end;
  }
  return shown + text.slice(at);
}

describe('an id is ignored because of its looks', () => {
  test.each(
    [
      '0x7f3a2b | 0xABCDEF12 | 4be19c2 | 4BE19C2 | a1b2c3d4e5f60718 | deadbeef0',
      'abcdef12-e89b-12d3-a456-426614174000 | 123E4567-E89B-12D3-A456-426614174000',
      'req_011CQ2b7Xz9KqT4m5 | toolu_01A09q90qw90lq917835lq9 | a1b2c3d4g5h6 | call_a1B2c3D4e5F6g7H8',
    ].flatMap((line) => line.split(' | ')),
  )('%s', (id) => {
    expect(masked(`of ${id} x`)).toBe('of … x');
  });

  test.each(
    [
      '0x7f3a | 0x7f3a2g | 0xABCDef12 | abcdefa | deadbeef | be19c2 | 4be19c | 4bE19c2 | 4be19cg',
      'python3 | utf8decoder | base64Encoder | sha256Checksum | test_calc_2_of_3 | HTTPServer2Config',
      'windows11Professional64bit',
    ].flatMap((line) => line.split(' | ')),
  )('but %s is a name', (name) => {
    expect(masked(`of ${name} x`)).toBe(`of ${name} x`);
  });

  test('a word with a digit in it is one if its name says so', () => {
    expect(masked('id: a1 x')).toBe('id: … x');
    expect(masked('taskId=build7a x')).toBe('taskId=… x');
    expect(masked('name: a1 x')).toBe('name: a1 x');
    expect(masked('name=build7a x')).toBe('name=build7a x');
  });
});

describe('the random part of a temporary folder is ignored', () => {
  test.each([
    ['/tmp/tmpab12cd34/x', '/tmp/…/x'],
    ['/tmp/tmpab12cd34.txt', '/tmp/….txt'],
    ['/tmp/temp_a12cd34/x', '/tmp/…/x'],
    ['/tmp/tmp.AbCdEf1234/x', '/tmp/…/x'],
    ['/tmp/tmp.AbCdE/x', '/tmp/tmp.AbCdE/x'],
    ['/tmp/build-aB3x9K/out', '/tmp/build-…/out'],
    ['/tmp/build_aB3x9K', '/tmp/build_…'],
    ['/tmp/build.aB3x9K', '/tmp/build.…'],
    ['/tmp/build-AbCdEf/out', '/tmp/build-…/out'],
    ['/tmp/build-release/out', '/tmp/build-release/out'],
    ['/tmp/build-Release/out', '/tmp/build-Release/out'],
    ['/tmp/build-RELEASE/out', '/tmp/build-RELEASE/out'],
    ['/tmp/build-readMe/out', '/tmp/build-readMe/out'],
    ['/tmp/build-aB3/out', '/tmp/build-aB3/out'],
    ['/tmp/run-12/out', '/tmp/run-…/out'],
    ['/tmp/12-12/out', '/tmp/12-12/out'],
    ['/tmp/run12/out', '/tmp/run12/out'],
    ['/tmp/pytest-of-dev/pytest-12/a', '/tmp/pytest-of-dev/pytest-…/a'],
    ['/tmp/pytest-of-dev/other-12/a', '/tmp/pytest-of-dev/other-12/a'],
    ['/var/folders/zz/ab12_cd/T/x', '/var/folders/…/T/x'],
    ['/tmp/xtmp.AbCdEf1234/x', '/tmp/xtmp.…/x'],
    ['/tmp/tmp.AbCdEf1234.d/x', '/tmp/tmp.AbCdEf1234.d/x'],
    ['/tmp/atemp_a12cd34/x', '/tmp/atemp_…/x'],
    ['/tmp/build-aB3x9K-log/out', '/tmp/build-aB3x9K-log/out'],
    ['/tmp/1run-12/out', '/tmp/1run-12/out'],
    ['/tmp/run-12x/out', '/tmp/run-12x/out'],
    ['/tmp/build_123456/x', '/tmp/build_123456/x'],
    ['/tmp/build-aBcDef/out', '/tmp/build-…/out'],
    ['/tmp/build-ABcdEF/out', '/tmp/build-…/out'],
    ['/tmp/build-helloWORLDs/out', '/tmp/build-helloWORLDs/out'],
    ['/tmp/pytest-of-dev/x/pytest-12/a', '/tmp/pytest-of-dev/x/pytest-12/a'],
    ['/var/folders/ zz/ab', '/var/folders/ zz/ab'],
    ['/var/folders/zz', '/var/folders/zz'],
    ['/var/folder/zz/ab', '/var/folder/zz/ab'],
    ['/app/build-aB3x9K/out', '/app/build-aB3x9K/out'],
    ['/tmpx/build-aB3x9K/out', '/tmpx/build-aB3x9K/out'],
  ])('%s is %s', (path, expected) => {
    expect(masked(`in ${path} x`)).toBe(`in ${expected} x`);
  });

  test('even on Windows and in a folder of macOS', () => {
    expect(masked('C:\\Temp\\build-aB3x9K\\out')).toBe('C:\\Temp\\build-…\\out');
    expect(masked('/zz/T/build-aB3x9K/out')).toBe('/zz/T/build-…/out');
    expect(masked('/zz/Tests/build-aB3x9K/out')).toBe('/zz/Tests/build-aB3x9K/out');
  });
});
