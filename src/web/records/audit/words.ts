import type { Entry } from '#domains/audit/contract.ts'
import { candidateTypes } from './candidate-words.ts'
import { meetingTypes } from './meeting-words.ts'
import { callTypes } from './call-words.ts'
import { fieldsIn, is, quoted, whole, word, type Data, type Known, type Told } from './telling.ts'

export type ActorKind = Entry['actor']['kind']

/** One of a kind, and all of it. */
export const kindWords: Record<ActorKind, { one: string; all: string }> = {
  person: { one: 'Person', all: 'People' },
  app: { one: 'App', all: 'Connected apps' },
  key: { one: 'API key', all: 'API keys' },
  workflow: { one: 'Workflow', all: 'Workflows' },
  sequence: { one: 'Sequence', all: 'Sequences' },
  agent: { one: 'Agent', all: 'Agents' },
  provider: { one: 'Provider', all: 'Providers' },
  form: { one: 'Form', all: 'Forms' },
  system: { one: 'Rapport', all: 'Rapport itself' },
}
export const actorKinds = Object.keys(kindWords) as ActorKind[]

/** Who did it, by name: "Ada", "Key Nightly export", "Rapport". */
export function whoInWords({ kind, name }: Entry['actor']): string {
  if (kind === 'system') return kindWords.system.one
  if (kind === 'person') return name || 'A former member'
  const word = kindWords[kind]?.one ?? kind
  return name ? `${word} ${name}` : word
}

/** What happened, as the rest of a sentence that began with who did it. A type without words is told by its name. */
export function whatInWords(entry: Told): string {
  return known(entry.type)?.say(entry.data, entry) ?? entry.type
}

/** The same as a thing to filter by. */
export function typeLabel(type: string): string {
  return known(type)?.label ?? type
}

/** The types one can choose from, under the heading they belong to. */
export function typeChoices(): { group: string; items: { value: string; label: string }[] }[] {
  const groups = Map.groupBy(Object.entries(types), ([, { group }]) => group)
  return [...groups].map(([group, own]) => ({
    group,
    items: own.map(([value, { label }]) => ({ value, label })),
  }))
}

const exportWords: Record<string, string> = {
  audit: 'the audit log',
  'import-errors': 'the errors of an import',
  submissions: 'the submissions of a form',
  suppressions: 'the list of those not to be written to',
}

const types: Record<string, Known> = {
  'lead.created': is('Leads', 'Lead created', ({ lead }) => `created the lead ${nameOfLead(lead)}`),
  'lead.changed': is('Leads', 'Lead changed', ({ after }) => `changed ${fieldsIn(after)} of a lead`),
  'lead.noted': is('Leads', 'Note written', () => 'wrote a note on a lead'),
  'lead.trashed': is('Leads', 'Lead moved to the trash', () => 'moved a lead to the trash'),
  'erasure.started': is('Leads', 'Person erased', () => 'asked for a person to be erased'),
  'erasure.finished': is('Leads', 'Erasure finished', () => 'erased a person from everything'),
  'personal_data.read': is('Leads', 'Personal data read', () => 'read everything that is kept of a person'),
  'lead.restored': is('Leads', 'Lead restored', () => 'restored a lead'),
  'lead_settings.changed': is(
    'Leads',
    'Fields and stages changed',
    () => 'changed the lead fields and stages',
  ),
  'bulk_change.progressed': is(
    'Leads',
    'Change of many leads',
    ({ changed, total }) => `changed ${whole(changed)} of ${whole(total)} leads at once`,
  ),
  'import.uploaded': is(
    'Leads',
    'File uploaded for import',
    ({ file_name }) => `uploaded the file ${quoted(file_name)} for an import`,
  ),
  'import.progressed': is(
    'Leads',
    'Import went on',
    ({ processed, total }) => `imported ${whole(processed)} of ${whole(total)} rows`,
  ),
  'import.deleted': is(
    'Leads',
    'Import forgotten',
    ({ file_name }) => `forgot the import of ${quoted(file_name)}`,
  ),
  ...candidateTypes,
  ...recordTypes('Accounts', 'account', 'an account'),
  'account_settings.changed': is('Accounts', 'Account fields changed', () => 'changed the account fields'),
  ...recordTypes('Opportunities', 'opportunity', 'an opportunity'),
  'deal.stage_changed': is('Opportunities', 'Stage changed', ({ of, before, after }) => {
    const what = of === 'lead' ? 'a lead' : 'an opportunity'
    return `moved ${what} from ${stageIn(before)} to ${stageIn(after)}`
  }),
  ...recordTypes('Tasks and projects', 'project', 'a project'),
  ...recordTypes('Tasks and projects', 'task', 'a task'),
  'task.overdue': is(
    'Tasks and projects',
    'Task overdue',
    ({ title }) => `saw that the task ${quoted(title)} is overdue`,
  ),
  'task.reminded': is(
    'Tasks and projects',
    'Task reminded of',
    ({ title }) => `reminded of the task ${quoted(title)}`,
  ),
  'view.saved': is('Leads', 'View saved', ({ name }) => `saved the view ${quoted(name)}`),
  'view.deleted': is('Leads', 'View deleted', ({ name }) => `deleted the view ${quoted(name)}`),
  'notification.added': is('Team', 'Notification sent', ({ ids }) =>
    Array.isArray(ids) && ids.length > 1 ? `notified ${ids.length} people` : 'notified somebody',
  ),
  'push_subscription.added': is(
    'People',
    'Browser notifications on',
    () => 'turned on browser notifications',
  ),
  'push_subscription.removed': is(
    'People',
    'Browser notifications off',
    () => 'turned off browser notifications',
  ),
  'session.started': is('People', 'Signed in', ({ method }) => `signed in${byMethod(method)}`),
  'session.ended': is('People', 'Signed out', ({ sessions }) =>
    Number(sessions) > 1 ? `ended ${Number(sessions)} sign-ins` : 'signed out',
  ),
  'member.joined': is('People', 'Member joined', (data, { actor, subject }) => {
    const what = actor.id === subject.id ? 'joined the team' : `added ${personIn(data)} to the team`
    return what + asRole(data.role)
  }),
  'member.left': is('People', 'Member left', () => 'left the team'),
  'member.removed': is('People', 'Member removed', data => `removed ${personIn(data)} from the team`),
  'member.role_changed': is(
    'People',
    'Role changed',
    data => `changed the role of ${personIn(data)} from ${role(data.before)} to ${role(data.after)}`,
  ),
  'invitation.created': is(
    'People',
    'Invitation sent',
    data => `invited ${personIn(data)}${asRole(data.role)}`,
  ),
  'invitation.resent': is('People', 'Invitation sent again', data => `invited ${personIn(data)} once more`),
  'invitation.revoked': is(
    'People',
    'Invitation taken back',
    data => `took back the invitation of ${personIn(data)}`,
  ),
  'team.created': is('Team', 'Team founded', ({ name }) => `founded the team ${quoted(name)}`),
  'export.made': is('Team', 'Export', ({ what }) => `exported ${exportWords[String(what)] ?? word(what)}`),
  'team.changed': is('Team', 'Team renamed', ({ after }) => `renamed the team to ${nameIn(after)}`),
  'credits.changed': is(
    'Team',
    'Credits came or went',
    ({ balance }) => `booked credits, ${whole(balance)} are left`,
  ),
  'credits.plan_changed': is(
    'Team',
    'Plan changed',
    ({ before, after }) => `changed the plan of the team from ${role(before)} to ${role(after)}`,
  ),
  'credits.quota_changed': is(
    'Team',
    'Monthly credits changed',
    ({ before, after }) => `changed the credits of each month from ${whole(before)} to ${whole(after)}`,
  ),
  'settlement.reorged': is(
    'Team',
    'Payment taken back by the chain',
    ({ tx_hash }) => `found that the chain took back the payment ${quoted(tx_hash)}`,
  ),
  'settlement.restored': is(
    'Team',
    'Payment on the chain again',
    ({ tx_hash }) => `found the payment ${quoted(tx_hash)} on the chain again`,
  ),
  'app.created': is(
    'Apps and keys',
    'OAuth app created',
    ({ name }) => `created the OAuth app ${quoted(name)}`,
  ),
  'app.changed': is(
    'Apps and keys',
    'OAuth app changed',
    ({ after }) => `changed the OAuth app ${nameIn(after)}`,
  ),
  'app.deleted': is(
    'Apps and keys',
    'OAuth app deleted',
    ({ name }) => `deleted the OAuth app ${quoted(name)}`,
  ),
  'app.secret_rotated': is(
    'Apps and keys',
    'New secret of an OAuth app',
    ({ name }) => `made a new secret for the OAuth app ${quoted(name)}`,
  ),
  'app.connected': is('Apps and keys', 'App connected', ({ name }) => `connected the app ${quoted(name)}`),
  'app.disconnected': is(
    'Apps and keys',
    'App disconnected',
    ({ name }) => `disconnected the app ${quoted(name)}`,
  ),
  'key.created': is('Apps and keys', 'API key created', ({ name }) => `created the API key ${quoted(name)}`),
  'key.refused': is(
    'Apps and keys',
    'API key refused',
    ({ name, reason }) => `was refused with the API key ${quoted(name)}: ${String(reason)}`,
  ),
  'key.revoked': is('Apps and keys', 'API key revoked', ({ name }) => `revoked the API key ${quoted(name)}`),
  ...recordTypes('Forms', 'form', 'a form'),
  'form.published': is(
    'Forms',
    'Form published',
    ({ name, version }) => `published the form ${quoted(name)}${asVersion(version)}`,
  ),
  'form.submitted': is('Forms', 'Form filled in', () => 'received a submission'),
  'form.quarantined': is('Forms', 'Submission quarantined', () => 'put a submission into quarantine'),
  'submission.released': is(
    'Forms',
    'Submission released',
    ({ form_name }) => `released a submission of the form ${quoted(form_name)} from quarantine`,
  ),
  'submission.deleted': is(
    'Forms',
    'Submission deleted',
    ({ form_name }) => `deleted a submission of the form ${quoted(form_name)}`,
  ),
  ...recordTypes('Workflows', 'workflow', 'a workflow'),
  'workflow.published': is(
    'Workflows',
    'Workflow published',
    ({ name, version }) => `published the workflow ${quoted(name)}${asVersion(version)}`,
  ),
  'workflow.started': is(
    'Workflows',
    'Workflow started',
    ({ name }, { actor }) => `began a run${ofWorkflow(name, actor)}`,
  ),
  'workflow.failed': is(
    'Workflows',
    'Workflow failed',
    ({ name }, { actor }) => `could not finish a run${ofWorkflow(name, actor)}`,
  ),
  'workflow.run_changed': is('Workflows', 'Run of a workflow changed', ({ name, before, after }) => {
    const verb =
      after === 'PAUSED'
        ? 'paused'
        : after === 'CANCELLED'
          ? 'cancelled'
          : before === 'FAILED'
            ? 'tried again'
            : 'resumed'
    return `${verb} a run of the workflow ${quoted(name)}`
  }),
  ...meetingTypes,
  'webhook_endpoint.changed': is('Webhooks', 'Webhook address changed', ({ before, after }) => {
    const verb = before ? 'changed' : 'set up'
    const isGone = (after as Data | null | undefined)?.status === 'REMOVED'
    return `${isGone ? 'removed' : verb} the webhook of ${nameIn(after)}`
  }),
  'webhook_endpoint.disabled': is(
    'Webhooks',
    'Webhook given up',
    ({ name }) => `gave up the webhook of ${quoted(name)}, which had no success for days`,
  ),
  'webhook_endpoint.enabled': is(
    'Webhooks',
    'Webhook in use again',
    ({ name }) => `took the webhook of ${quoted(name)} into use again`,
  ),
  'webhook_endpoint.secret_read': is(
    'Webhooks',
    'Secret of a webhook looked at',
    ({ name }) => `looked at the secret of the webhook of ${quoted(name)}`,
  ),
  'webhook_endpoint.secret_rotated': is(
    'Webhooks',
    'New secret of a webhook',
    ({ name }) => `made a new secret for the webhook of ${quoted(name)}`,
  ),
  'webhook_delivery.failed': is(
    'Webhooks',
    'Delivery failed',
    ({ name }) => `could not deliver a webhook of ${quoted(name)}`,
  ),
  'webhook_delivery.replayed': is(
    'Webhooks',
    'Delivery sent again',
    ({ count }) => `sent ${whole(count)} failed ${count === 1 ? 'delivery' : 'deliveries'} again`,
  ),
  'webhook_inbox.replayed': is(
    'Webhooks',
    'Received event run again',
    ({ count }) => `ran ${whole(count)} received ${count === 1 ? 'event' : 'events'} again`,
  ),
  'webhook_inbox.assigned': is(
    'Webhooks',
    'Received event assigned',
    ({ type }) => `assigned the received event ${quoted(type)} to this team`,
  ),
  ...callTypes,
  'job.retried': is('Jobs', 'Job tried again', ({ kind }) => `tried the job ${quoted(kind)} again`),
  'job.discarded': is('Jobs', 'Job discarded', ({ kind }) => `discarded the job ${quoted(kind)}`),
}

function known(type: string): Known | undefined {
  if (type.startsWith(RECEIVED)) return receivedType(type.slice(RECEIVED.length))
  return Object.hasOwn(types, type) ? types[type] : undefined
}

const RECEIVED = 'webhook:'

/** What a provider sent is told under the provider's own name for it: `webhook:call_ended`. */
function receivedType(name: string): Known {
  const words = name.replaceAll(/[._]/g, ' ')
  return is('Webhooks', `Received: ${words}`, () => `sent the event ${quoted(words)}`)
}

/** What every kind of record tells: made, changed, into the trash and out of it. */
function recordTypes(group: string, noun: string, a: string): Record<string, Known> {
  const label = noun.charAt(0).toUpperCase() + noun.slice(1)
  return {
    [`${noun}.created`]: is(
      group,
      `${label} created`,
      data => `created the ${noun} ${nameOfRecord(data[noun])}`,
    ),
    [`${noun}.changed`]: is(group, `${label} changed`, ({ after }) => `changed ${fieldsIn(after)} of ${a}`),
    [`${noun}.trashed`]: is(group, `${label} moved to the trash`, () => `moved ${a} to the trash`),
    [`${noun}.restored`]: is(group, `${label} restored`, () => `restored ${a}`),
  }
}

function nameIn(value: unknown): string {
  return quoted((value as { name?: unknown } | null | undefined)?.name)
}

function personIn({ name, email }: Data): string {
  return word(name || email)
}

function nameOfRecord(value: unknown): string {
  const { name, title } = (value ?? {}) as Data
  return quoted(name ?? title)
}

function stageIn(value: unknown): string {
  const stage = (value as { stage?: unknown } | null | undefined)?.stage
  return stage ? quoted(String(stage).replaceAll('_', ' ')) : 'one stage'
}

/** A workflow that tells it itself has been named already. */
function ofWorkflow(name: unknown, { kind }: Told['actor']): string {
  return kind === 'workflow' ? '' : ` of the workflow ${quoted(name)}`
}

function asVersion(value: unknown): string {
  return Number.isInteger(value) ? ` as version ${whole(value)}` : ''
}

function nameOfLead(value: unknown): string {
  const { first_name, last_name, email, company } = (value ?? {}) as Data
  return quoted([first_name, last_name].filter(Boolean).join(' ') || email || company)
}

function role(value: unknown): string {
  return word(value).toLowerCase().replaceAll('_', ' ')
}

function asRole(value: unknown): string {
  return value ? ` as ${role(value)}` : ''
}

const methods: Record<string, string> = {
  link: ' by a link',
  invitation: ' by an invitation',
  google: ' with Google',
  github: ' with GitHub',
  oidc: ' with single sign-on',
}

function byMethod(value: unknown): string {
  if (!value) return ''
  return Object.hasOwn(methods, String(value)) ? methods[String(value)]! : ` with ${word(value)}`
}
