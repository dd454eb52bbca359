import { plans, TRIAL_DAYS_DEFAULT } from '#domains/credits/values.ts'
import { scopes } from '#platform/scopes.ts'
import type { Command } from './command.ts'

const SCOPES = Object.keys(scopes).join(' ')
const MAKES_THE_PERSON = 'Creates the user if the address is new, with a team they own as SUPER_ADMIN.'

/** Everything that can be said. What a command needs is loaded when it is said: help and mistakes are answered at once. */
export const commands: readonly Command[] = [
  {
    name: 'start',
    summary: 'Start Rapport',
    details:
      'Runs API, worker, scheduler and web app in one process; processes with other roles share its database.',
    options: { role: { type: 'string', describe: 'all (default), api or worker' } },
    load: () => import('./start.ts'),
  },
  {
    name: 'migrate',
    summary: 'Migrate the database schema',
    details: 'Safe to run while other processes do the same. `rapport start` does it automatically.',
    options: {},
    load: () => import('./migrate.ts'),
  },
  {
    name: 'distribute',
    summary: 'Shard the tables by team over the nodes of a Citus cluster',
    details:
      'Run it on the coordinator after `rapport migrate`, with Rapport stopped. Safe to repeat: it continues where it ended.',
    options: {
      check: { type: 'boolean', describe: 'only report what is not distributed; exit code 1 if anything is' },
    },
    load: () => import('./distribute.ts'),
  },
  {
    name: 'seed',
    summary: 'Load or remove the demo team',
    details:
      'A small company with about 200 leads and their history. Development only; loading it twice does nothing.',
    options: {
      remove: { type: 'boolean', describe: 'remove the demo team and all its data' },
    },
    load: () => import('./seed.ts'),
  },
  {
    name: 'signin-link',
    summary: 'Print a one-time sign-in link, valid for one hour',
    details: MAKES_THE_PERSON,
    options: { email: { type: 'string', describe: "the person's email address" } },
    load: () => import('./signin-link.ts'),
  },
  {
    name: 'token',
    summary: 'Create an API key and print it once',
    details: MAKES_THE_PERSON,
    options: {
      email: { type: 'string', describe: 'the owner; the key belongs to their first team' },
      scope: { type: 'string', describe: `space-separated: ${SCOPES}` },
      name: { type: 'string', describe: 'what the key is for' },
    },
    load: () => import('./token.ts'),
  },
  {
    name: 'client',
    summary: 'Create an OAuth client: rapport client create',
    details:
      'Prints the client ID and, for a confidential client, its secret. The secret is shown only once.',
    positional: 'create',
    options: {
      name: { type: 'string', describe: 'name shown on the consent page' },
      'redirect-uri': {
        type: 'string',
        describe: 'https, or http on this machine; separate several with spaces',
      },
      scope: { type: 'string', describe: `scopes it may request, all by default: ${SCOPES}` },
      confidential: {
        type: 'boolean',
        describe: 'for a server that can keep a secret; public by default',
      },
    },
    load: () => import('./client.ts'),
  },
  {
    name: 'plan',
    summary: "Show or change a team's plan and credits",
    details:
      'ACTIVE has no end date, TRIAL ends on its last day, EXPIRED is read-only. A new quota applies from next month.',
    options: {
      team: { type: 'string', describe: 'its ID, or the email address of a member who is in only one team' },
      plan: { type: 'string', describe: plans.join(', ') },
      days: {
        type: 'string',
        describe: `length of a TRIAL from now, TRIAL_DAYS or ${TRIAL_DAYS_DEFAULT} by default`,
      },
      quota: { type: 'string', describe: 'credits per month' },
      credits: { type: 'string', describe: 'credits to add, without expiry' },
    },
    load: () => import('./plan.ts'),
  },
  {
    name: 'inbox',
    summary: 'List unassigned webhook events and assign them to a team',
    details:
      'Events are unassigned if no team has the record they name. Once assigned, an event is processed for that team.',
    options: {
      show: { type: 'string', describe: 'the ID of an event: prints its raw body' },
      assign: { type: 'string', describe: 'IDs separated by spaces, or all listed events (at most 100)' },
      team: {
        type: 'string',
        describe: 'the team: its ID, or the email address of a member who is in only one team',
      },
    },
    load: () => import('./inbox.ts'),
  },
  {
    name: 'doctor',
    summary: 'Check the installation and explain how to fix problems',
    details: '✓ is fine, – is worth knowing, ✗ is a problem; with any ✗ the exit code is 1. Changes nothing.',
    options: {},
    load: () => import('./doctor.ts'),
  },
  {
    name: 'backup',
    summary: 'Back up the whole database to one file',
    details: 'Safe while Rapport is running. The backup does not include secrets: store them separately.',
    options: {
      file: { type: 'string', describe: 'the file to write; by default named by time, in DATA_DIR/backups' },
    },
    load: () => import('./backup.ts'),
  },
  {
    name: 'restore',
    summary: 'Load a backup into an empty database',
    details:
      'Rapport must be stopped. Restores everything or nothing; afterwards nothing is sent until `rapport release`.',
    positional: 'file',
    options: { force: { type: 'boolean', describe: 'replace existing data' } },
    load: () => import('./restore.ts'),
  },
  {
    name: 'release',
    summary: 'Resume outgoing work after a restore',
    details: 'Everything that is overdue is sent immediately: review it first.',
    options: {},
    load: () => import('./release.ts'),
  },
]
