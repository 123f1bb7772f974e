import type { FleetProblem } from '../../model';

/** Reason why the agents of other machines are not shown, or not in their current state. */
export type FleetTrouble = FleetProblem | 'connecting' | 'broken';

type FleetCommand = 'unstuck.setFleetCredentials' | 'unstuck.openFleetSettings' | 'unstuck.showLog';

/** Returns a line below the agents, with the command for a click on it. */
export function fleetNote(trouble: FleetTrouble): { readonly text: string; readonly command?: FleetCommand } {
  const log = (text: string) => ({ text, command: 'unstuck.showLog' as const });
  switch (trouble) {
    case 'connecting':
      return { text: 'Other machines: connecting' };
    case 'no_credentials':
      return { text: 'Other machines: no credentials yet. Set Credentials', command: 'unstuck.setFleetCredentials' };
    case 'credentials': {
      const text = 'Other machines: the server rejects these credentials. Set Other Credentials';
      return { text, command: 'unstuck.setFleetCredentials' };
    }
    case 'address': {
      const text = 'Other machines: an address is wrong. Open Settings';
      return { text, command: 'unstuck.openFleetSettings' };
    }
    case 'unreachable':
    case 'timeout':
      return log('Other machines: no server answers; trying again. Show Log');
    case 'no_tls':
      return log('Other machines: the server’s certificate is not the expected one. Show Log');
    case 'no_certificate': {
      const text =
        'Other machines: these credentials have no certificate. Run “unstuck fleet init --renew”, then Set Credentials';
      return { text, command: 'unstuck.setFleetCredentials' };
    }
    case 'permission':
      return log('Other machines: these credentials lack permissions. Show Log');
    case 'not_prepared':
      return log('Other machines: the server has no streams yet. Show Log');
    case 'full':
      return log('Other machines: the server is full. Show Log');
    case 'broken':
      return log('Other machines: Unstuck could not connect. Show Log');
  }
}

/** Asks for the credentials of the message server, with the possible answers. */
export function credentialsNeeded(server: string): {
  readonly text: string;
  readonly set: string;
  readonly not: string;
} {
  const text = `Unstuck needs credentials to see the agents of other machines at ${server}.`;
  return { text, set: 'Set Credentials…', not: 'Not Now' };
}

/** Texts of the dialog in which the file is chosen, and the messages after it. */
export const CREDENTIALS = {
  title: () => 'Credentials for other machines: the file that “unstuck fleet” made for this viewer',
  open: () => 'Use Credentials',
  none: () =>
    'That file has no credentials, so nothing was saved. Choose the .creds file that “unstuck fleet” made for this viewer.',
  forgotten: () => 'The credentials for other machines were removed.',
} as const;
