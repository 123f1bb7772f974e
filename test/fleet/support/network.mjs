// A network namespace for a machine, if this system allows one: then only TLS leads to the server.
import { spawnSync } from 'node:child_process';

const ip = (...words) => spawnSync('ip', words, { stdio: 'ignore' }).status === 0;

/** @returns {{ host: string, prefix: string[], end: () => void } | null} `prefix`: the words to put before a command so that it runs there */
export function namespace(name, subnet) {
  const id = `unstuck-${name}-${process.pid}`.slice(0, 30);
  const [ours, theirs] = [`us${process.pid}`.slice(0, 14), `th${process.pid}`.slice(0, 14)];
  const end = () => {
    ip('netns', 'delete', id);
    ip('link', 'delete', ours);
  };
  const made =
    ip('netns', 'add', id) &&
    ip('link', 'add', ours, 'type', 'veth', 'peer', 'name', theirs) &&
    ip('link', 'set', theirs, 'netns', id) &&
    ip('address', 'add', `${subnet}.1/30`, 'dev', ours) &&
    ip('link', 'set', ours, 'up') &&
    ip('netns', 'exec', id, 'ip', 'address', 'add', `${subnet}.2/30`, 'dev', theirs) &&
    ip('netns', 'exec', id, 'ip', 'link', 'set', theirs, 'up') &&
    ip('netns', 'exec', id, 'ip', 'link', 'set', 'lo', 'up');
  if (made)
    return {
      host: `${subnet}.1`,
      prefix: ['ip', 'netns', 'exec', id],
      cut: () => ip('link', 'set', ours, 'down'),
      join: () => ip('link', 'set', ours, 'up'),
      end,
    };
  end();
  return null;
}
