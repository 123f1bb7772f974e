// Asks npm about a package.
import { spawnSync } from 'node:child_process';
import { NotHere } from './install.mjs';

const WITHIN = 60_000;
const RELEASE = /^\d+\.\d+\.\d+$/;

/**
 * The newest versions, newest first, each with the day of its publication.
 *
 * @param {string} name of the package
 * @param {number} most
 * @throws {NotHere} the registry does not answer, or does not have it
 */
export function newestOf(name, most) {
  const fields = ['dist-tags.latest', 'time', 'versions', '--json'];
  const run = spawnSync('npm', ['view', name, ...fields], { encoding: 'utf8', timeout: WITHIN });
  if (run.status !== 0) throw new NotHere(`npm says nothing of ${name}`);
  const said = JSON.parse(run.stdout);
  const released = [said.versions].flat().filter((version) => RELEASE.test(version));
  const until = released.indexOf(said['dist-tags.latest']);
  const newest = released.slice(0, until + 1).reverse();
  return newest.slice(0, most).map((version) => ({ version, date: String(said.time[version]).slice(0, 10) }));
}
