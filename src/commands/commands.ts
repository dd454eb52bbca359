import { plans, TRIAL_DAYS_DEFAULT } from '#domains/credits/values.ts'
import { scopes } from '#platform/scopes.ts'
import type { Command } from './command.ts'

const SCOPES = Object.keys(scopes).join(' ')
const MAKES_THE_PERSON = 'Makes the person, and a team with it as SUPER_ADMIN, where the address is new.'

/** Everything that can be said. What a command needs is loaded when it is said: help and mistakes are answered at once. */
export const commands: readonly Command[] = [
  {
    name: 'start',
    summary: 'Start Rapport',
    details: 'API, worker, scheduler and web app in one process; other roles share its database.',
    options: { role: { type: 'string', describe: 'all (default), api or worker' } },
    load: () => import('./start.ts'),
  },
  {
    name: 'migrate',
    summary: 'Bring the database schema forward',
    details: 'Safe to run while other processes do the same. `rapport start` does it by itself.',
    options: {},
    load: () => import('./migrate.ts'),
  },
  {
    name: 'seed',
    summary: 'Load the demo team, or take it away',
    details:
      'A small company with some 200 leads and their history. Only for development; a second load does nothing.',
    options: {
      remove: { type: 'boolean', describe: 'take the demo team away, with everything that belongs to it' },
    },
    load: () => import('./seed.ts'),
  },
  {
    name: 'signin-link',
    summary: 'Print a link that signs a person in once, within the hour',
    details: MAKES_THE_PERSON,
    options: { email: { type: 'string', describe: 'the address of the person' } },
    load: () => import('./signin-link.ts'),
  },
  {
    name: 'token',
    summary: 'Print an API key, this one time',
    details: MAKES_THE_PERSON,
    options: {
      email: { type: 'string', describe: 'whose first team the key belongs to' },
      scope: { type: 'string', describe: `space-separated: ${SCOPES}` },
      name: { type: 'string', describe: 'what the key is for' },
    },
    load: () => import('./token.ts'),
  },
  {
    name: 'client',
    summary: 'Create an OAuth client: rapport client create',
    details: 'Prints the client id, and for a confidential client the secret behind it, this one time.',
    positional: 'create',
    options: {
      name: { type: 'string', describe: 'what people read on the consent page' },
      'redirect-uri': {
        type: 'string',
        describe: 'https, or http on this machine; several are separated by spaces',
      },
      scope: { type: 'string', describe: `what it may ask for, everything unless told: ${SCOPES}` },
      confidential: {
        type: 'boolean',
        describe: 'a server that can keep a secret; else the client is public',
      },
    },
    load: () => import('./client.ts'),
  },
  {
    name: 'plan',
    summary: "Show or change a team's plan and credits",
    details:
      'ACTIVE works without an end, TRIAL until its last day, EXPIRED can only be read. A quota counts from the next month on.',
    options: {
      team: { type: 'string', describe: 'its id, or the address of somebody who is in one team only' },
      plan: { type: 'string', describe: plans.join(', ') },
      days: {
        type: 'string',
        describe: `how long a TRIAL goes on from now; TRIAL_DAYS or ${TRIAL_DAYS_DEFAULT} unless told`,
      },
      quota: { type: 'string', describe: 'how many credits each month brings from now on' },
      credits: { type: 'string', describe: 'so many credits more, which do not expire' },
    },
    load: () => import('./plan.ts'),
  },
  {
    name: 'inbox',
    summary: 'List events that belong to no team, and assign them',
    details:
      'Of several teams none has the record that such an event names. Assigned to a team, it is processed there, once.',
    options: {
      show: { type: 'string', describe: 'the id of an event: prints its body as it came' },
      assign: { type: 'string', describe: 'ids separated by spaces, or all that are listed (at most 100)' },
      team: {
        type: 'string',
        describe: 'whose they are: its id, or the address of somebody who is in one team only',
      },
    },
    load: () => import('./inbox.ts'),
  },
  {
    name: 'doctor',
    summary: 'Check the installation, and say what is missing and how to mend it',
    details: '✓ is well, – is worth knowing, ✗ is broken; with a ✗ the exit code is 1. Changes nothing.',
    options: {},
    load: () => import('./doctor.ts'),
  },
  {
    name: 'backup',
    summary: 'Write everything in the database into one file',
    details: 'Safe while Rapport runs. The secrets are not in the file: keep them apart from it.',
    options: {
      file: { type: 'string', describe: 'the file to write; unset: backups/ in DATA_DIR, named by the time' },
    },
    load: () => import('./backup.ts'),
  },
  {
    name: 'restore',
    summary: 'Load a backup into an empty database',
    details: 'Rapport must be stopped. All or nothing; afterwards nothing is sent until `rapport release`.',
    positional: 'file',
    options: { force: { type: 'boolean', describe: 'replace what is in the database' } },
    load: () => import('./restore.ts'),
  },
  {
    name: 'release',
    summary: 'Let outgoing work go again after a restore',
    details: 'What has fallen due meanwhile is sent at once: look through it before.',
    options: {},
    load: () => import('./release.ts'),
  },
]
