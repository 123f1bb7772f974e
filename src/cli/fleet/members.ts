import { join } from 'node:path';
import { readTextNow } from '../../base/files';
import { isName } from '../../fleet';
import type * as Fleet from '../../fleet/bundle';
import { fieldsOf, parseJson } from '../../base/util/json';
import { UsageError } from '../output';
import { refuseFolderOfOthers, replace } from './files';

export type FleetModule = typeof Fleet;

interface Member {
  readonly name: string;
  readonly key: string;
}

/** Contents of `fleet.json`: who may sign in, by public keys. */
export interface Members {
  readonly admin: string;
  readonly machines: readonly Member[];
  readonly viewers: readonly Member[];
}

/** Size limit of `fleet.json`, bytes. */
const LARGEST = 4 * 1024 * 1024;

export function membersFile(folder: string): string {
  return join(folder, 'fleet.json');
}

/** Reads who may sign in. Throws if another user could have written the file. */
export function readMembers(folder: string): Members {
  refuseFolderOfOthers(folder);
  const text = readTextNow(membersFile(folder), { limit: LARGEST });
  const { admin, machines, viewers } = fieldsOf(parseJson(text.ok ? text.value : ''));
  const isMember = (one: unknown): one is Member => {
    const { name, key } = fieldsOf(one);
    return typeof name === 'string' && isName(name) && typeof key === 'string' && /^U[A-Z2-7]{55}$/.test(key);
  };
  const isWhole =
    Array.isArray(machines) && machines.every(isMember) && Array.isArray(viewers) && viewers.every(isMember);
  if (typeof admin !== 'string' || !/^U[A-Z2-7]{55}$/.test(admin) || !isWhole)
    throw new UsageError(
      'unreadable',
      `unstuck fleet: ${folder}/fleet.json cannot be read. First run unstuck fleet init there.`,
    );
  return { admin, machines, viewers };
}

/** Writes who may sign in, for our own use and for the server. */
export function writeMembers(folder: string, members: Members, fleet: FleetModule): void {
  replace(join(folder, 'users.conf'), fleet.usersFile(members));
  replace(membersFile(folder), `${JSON.stringify({ v: 1, ...members }, null, 2)}\n`);
}

/** Returns the path of a member's credentials. */
export function credentialsPath(folder: string, name: string): string {
  return join(folder, `${name}.creds`);
}
