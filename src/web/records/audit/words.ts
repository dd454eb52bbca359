import type { Entry } from '#domains/audit/contract.ts'
import { candidateTypes } from './candidate-words.ts'
import { meetingTypes } from './meeting-words.ts'
import { callTypes } from './call-words.ts'
import { fieldsIn, is, quoted, whole, word, type Data, type Known, type Told } from './sentence.ts'

export type ActorKind = Entry['actor']['kind']

/** Singular, and the name of the group. */
export const kindWords: Record<ActorKind, { one: string; all: string }> = {
  person: { one: 'Person', all: 'People' },
  app: { one: 'App', all: 'Connected apps' },
  key: { one: 'API key', all: 'API keys' },
  workflow: { one: 'Workflow', all: 'Workflows' },
  sequence: { one: 'Sequence', all: 'Sequences' },
  agent: { one: 'Agent', all: 'Agents' },
  provider: { one: 'Provider', all: 'Providers' },
  form: { one: 'Form', all: 'Forms' },
  system: { one: 'Rapport', all: 'Rapport' },
}
export const actorKinds = Object.keys(kindWords) as ActorKind[]

/** Who did it, by name: "Ada", "Key Nightly export", "Rapport". */
export function whoInWords({ kind, name }: Entry['actor']): string {
  if (kind === 'system') return kindWords.system.one
  if (kind === 'person') return name || 'A former member'
  const word = kindWords[kind]?.one ?? kind
  return name ? `${word} ${name}` : word
}

/** What happened, as the rest of a sentence that began with who did it. A type without words is shown by its name. */
export function whatInWords(entry: Told): string {
  return known(entry.type)?.say(entry.data, entry) ?? entry.type
}

/** The label in filters. */
export function typeLabel(type: string): string {
  return known(type)?.label ?? type
}

/** All types, by group, for the filter. */
export function typeChoices(): { value: string; label: string; group: string }[] {
  const groups = Map.groupBy(Object.entries(types), ([, { group }]) => group)
  return [...groups].flatMap(([group, own]) => own.map(([value, { label }]) => ({ value, label, group })))
}

const exportWords: Record<string, string> = {
  audit: 'the audit log',
  'import-errors': 'import errors',
  submissions: 'form submissions',
  suppressions: 'the suppression list',
}

const types: Record<string, Known> = {
  'lead.created': is('Leads', 'Lead created', ({ lead }) => `created the lead ${nameOfLead(lead)}`),
  'lead.changed': is('Leads', 'Lead changed', ({ after }) => `changed ${fieldsIn(after)} of a lead`),
  'lead.noted': is('Leads', 'Note added', () => 'added a note to a lead'),
  'lead.trashed': is('Leads', 'Lead moved to the trash', () => 'moved a lead to the trash'),
  'erasure.started': is('Leads', 'Erasure requested', () => 'requested the erasure of a person'),
  'erasure.finished': is('Leads', 'Erasure finished', () => 'erased all data about a person'),
  'personal_data.read': is('Leads', 'Personal data read', () => 'read all data about a person'),
  'lead.restored': is('Leads', 'Lead restored', () => 'restored a lead'),
  'lead_settings.changed': is(
    'Leads',
    'Fields and stages changed',
    () => 'changed the lead fields and stages',
  ),
  'bulk_change.progressed': is(
    'Leads',
    'Bulk change',
    ({ changed, total }) => `changed ${whole(changed)} of ${whole(total)} leads in bulk`,
  ),
  'import.uploaded': is(
    'Leads',
    'Import file uploaded',
    ({ file_name }) => `uploaded the file ${quoted(file_name)} for import`,
  ),
  'import.progressed': is(
    'Leads',
    'Import progress',
    ({ processed, total }) => `imported ${whole(processed)} of ${whole(total)} rows`,
  ),
  'import.deleted': is(
    'Leads',
    'Import deleted',
    ({ file_name }) => `deleted the import of ${quoted(file_name)}`,
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
    ({ title }) => `marked the task ${quoted(title)} as overdue`,
  ),
  'task.reminded': is(
    'Tasks and projects',
    'Task reminder',
    ({ title }) => `sent a reminder for the task ${quoted(title)}`,
  ),
  'view.saved': is('Leads', 'View saved', ({ name }) => `saved the view ${quoted(name)}`),
  'view.deleted': is('Leads', 'View deleted', ({ name }) => `deleted the view ${quoted(name)}`),
  'notification.added': is('Team', 'Notification sent', ({ ids }) =>
    Array.isArray(ids) && ids.length > 1 ? `notified ${ids.length} people` : 'notified someone',
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
    Number(sessions) > 1 ? `ended ${Number(sessions)} sessions` : 'signed out',
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
  'invitation.resent': is(
    'People',
    'Invitation resent',
    data => `resent the invitation to ${personIn(data)}`,
  ),
  'invitation.revoked': is(
    'People',
    'Invitation revoked',
    data => `revoked the invitation to ${personIn(data)}`,
  ),
  'team.created': is('Team', 'Team created', ({ name }) => `created the team ${quoted(name)}`),
  'export.made': is('Team', 'Export', ({ what }) => `exported ${exportWords[String(what)] ?? word(what)}`),
  'retention.changed': is('Team', 'Data retention changed', () => 'changed how long data is kept'),
  'team.changed': is('Team', 'Team renamed', ({ after }) => `renamed the team to ${nameIn(after)}`),
  'credits.changed': is(
    'Team',
    'Credits changed',
    ({ balance }) => `changed the credit balance to ${whole(balance)}`,
  ),
  'credits.plan_changed': is(
    'Team',
    'Plan changed',
    ({ before, after }) => `changed the team plan from ${role(before)} to ${role(after)}`,
  ),
  'credits.quota_changed': is(
    'Team',
    'Monthly credits changed',
    ({ before, after }) => `changed the monthly credits from ${whole(before)} to ${whole(after)}`,
  ),
  'settlement.reorged': is(
    'Team',
    'Payment reverted on chain',
    ({ tx_hash }) => `found the payment ${quoted(tx_hash)} reverted on chain`,
  ),
  'settlement.restored': is(
    'Team',
    'Payment restored on chain',
    ({ tx_hash }) => `found the payment ${quoted(tx_hash)} restored on chain`,
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
    'OAuth app secret rotated',
    ({ name }) => `created a new secret for the OAuth app ${quoted(name)}`,
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
    'API key rejected',
    ({ name, reason }) => `was rejected with the API key ${quoted(name)}: ${String(reason)}`,
  ),
  'key.revoked': is('Apps and keys', 'API key revoked', ({ name }) => `revoked the API key ${quoted(name)}`),
  ...recordTypes('Forms', 'form', 'a form'),
  'form.published': is(
    'Forms',
    'Form published',
    ({ name, version }) => `published the form ${quoted(name)}${asVersion(version)}`,
  ),
  'form.submitted': is('Forms', 'Form submitted', () => 'received a submission'),
  'form.quarantined': is('Forms', 'Submission quarantined', () => 'quarantined a submission'),
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
    ({ name }, { actor }) => `started a run${ofWorkflow(name, actor)}`,
  ),
  'workflow.failed': is(
    'Workflows',
    'Workflow failed',
    ({ name }, { actor }) => `could not finish a run${ofWorkflow(name, actor)}`,
  ),
  'workflow.run_changed': is('Workflows', 'Workflow run changed', ({ name, before, after }) => {
    const verb =
      after === 'PAUSED'
        ? 'paused'
        : after === 'CANCELLED'
          ? 'cancelled'
          : before === 'FAILED'
            ? 'retried'
            : 'resumed'
    return `${verb} a run of the workflow ${quoted(name)}`
  }),
  ...meetingTypes,
  'webhook_endpoint.changed': is('Webhooks', 'Webhook changed', ({ before, after }) => {
    const verb = before ? 'changed' : 'set up'
    const isGone = (after as Data | null | undefined)?.status === 'REMOVED'
    return `${isGone ? 'removed' : verb} the webhook of ${nameIn(after)}`
  }),
  'webhook_endpoint.disabled': is(
    'Webhooks',
    'Webhook disabled',
    ({ name }) => `disabled the webhook of ${quoted(name)} after days without a successful delivery`,
  ),
  'webhook_endpoint.enabled': is(
    'Webhooks',
    'Webhook enabled',
    ({ name }) => `enabled the webhook of ${quoted(name)} again`,
  ),
  'webhook_endpoint.secret_read': is(
    'Webhooks',
    'Webhook secret viewed',
    ({ name }) => `viewed the secret of the webhook of ${quoted(name)}`,
  ),
  'webhook_endpoint.secret_rotated': is(
    'Webhooks',
    'Webhook secret rotated',
    ({ name }) => `created a new secret for the webhook of ${quoted(name)}`,
  ),
  'webhook_delivery.failed': is(
    'Webhooks',
    'Delivery failed',
    ({ name }) => `could not deliver a webhook of ${quoted(name)}`,
  ),
  'webhook_delivery.replayed': is(
    'Webhooks',
    'Delivery replayed',
    ({ count }) => `replayed ${whole(count)} failed ${count === 1 ? 'delivery' : 'deliveries'}`,
  ),
  'webhook_inbox.replayed': is(
    'Webhooks',
    'Received event replayed',
    ({ count }) => `replayed ${whole(count)} received ${count === 1 ? 'event' : 'events'}`,
  ),
  'webhook_inbox.assigned': is(
    'Webhooks',
    'Received event assigned',
    ({ type }) => `assigned the received event ${quoted(type)} to this team`,
  ),
  ...callTypes,
  'job.retried': is('Jobs', 'Job retried', ({ kind }) => `retried the job ${quoted(kind)}`),
  'job.discarded': is('Jobs', 'Job discarded', ({ kind }) => `discarded the job ${quoted(kind)}`),
}

function known(type: string): Known | undefined {
  if (type.startsWith(RECEIVED)) return receivedType(type.slice(RECEIVED.length))
  return Object.hasOwn(types, type) ? types[type] : undefined
}

const RECEIVED = 'webhook:'

/** An event from a provider is shown under the provider's name for it: `webhook:call_ended`. */
function receivedType(name: string): Known {
  const words = name.replaceAll(/[._]/g, ' ')
  return is('Webhooks', `Received: ${words}`, () => `sent the event ${quoted(words)}`)
}

/** The events of every kind of record: created, changed, trashed and restored. */
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

/** Omitted where the workflow itself is the actor. */
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
  link: ' with a link',
  invitation: ' with an invitation',
  google: ' with Google',
  github: ' with GitHub',
  oidc: ' with single sign-on',
}

function byMethod(value: unknown): string {
  if (!value) return ''
  return Object.hasOwn(methods, String(value)) ? methods[String(value)]! : ` with ${word(value)}`
}
