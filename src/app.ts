import type { Endpoints, Handlers } from '#platform/contract.ts'
import type { BearerKind } from '#platform/bearer.ts'
import type { Offers } from '#platform/offers.ts'
import {
  createRegistry,
  type Attendant,
  type DataSource,
  type Gate,
  type InboundRoute,
  type JobDefinition,
  type Reaction,
  type Registry,
  type ScheduledJob,
  type Sweep,
} from '#platform/registry.ts'
import * as mailContract from '#domains/mail/contract.ts'
import { api as mailApi } from '#domains/mail/api.ts'
import { jobs as mailJobs } from '#domains/mail/jobs.ts'
import * as identityContract from '#domains/identity/contract.ts'
import { api as identityApi } from '#domains/identity/api.ts'
import { jobs as identityJobs } from '#domains/identity/jobs.ts'
import { apiKey } from '#domains/identity/keys.ts'
import * as oauthContract from '#domains/oauth/contract.ts'
import { api as oauthApi } from '#domains/oauth/api.ts'
import { accessToken } from '#domains/oauth/bearer.ts'
import * as auditContract from '#domains/audit/contract.ts'
import { api as auditApi } from '#domains/audit/api.ts'
import * as retentionContract from '#domains/retention/contract.ts'
import { api as retentionApi } from '#domains/retention/api.ts'
import * as suppressionsContract from '#domains/suppressions/contract.ts'
import { api as suppressionsApi } from '#domains/suppressions/api.ts'
import * as filesContract from '#domains/files/contract.ts'
import { api as filesApi } from '#domains/files/api.ts'
import { sweeps as filesSweeps } from '#domains/files/jobs.ts'
import * as webhooksContract from '#domains/webhooks/contract.ts'
import { api as webhooksApi } from '#domains/webhooks/api.ts'
import { bodies as webhooksBodies } from '#domains/webhooks/bodies.ts'
import { jobs as webhooksJobs } from '#domains/webhooks/jobs.ts'
import * as deliveriesContract from '#domains/deliveries/contract.ts'
import { api as deliveriesApi } from '#domains/deliveries/api.ts'
import { jobs as deliveriesJobs, sweeps as deliveriesSweeps } from '#domains/deliveries/jobs.ts'
import * as accountsContract from '#domains/accounts/contract.ts'
import { api as accountsApi } from '#domains/accounts/api.ts'
import { sweeps as accountsSweeps } from '#domains/accounts/jobs.ts'
import * as leadsContract from '#domains/leads/contract.ts'
import { api as leadsApi } from '#domains/leads/api.ts'
import { inboundRoutes as leadsInboundRoutes, reactions as leadsReactions } from '#domains/leads/reactions.ts'
import { jobs as leadsJobs, sweeps as leadsSweeps } from '#domains/leads/jobs.ts'
import * as templatesContract from '#domains/templates/contract.ts'
import { api as templatesApi } from '#domains/templates/api.ts'
import { sweeps as templatesSweeps } from '#domains/templates/jobs.ts'
import * as messagesContract from '#domains/messages/contract.ts'
import { api as messagesApi } from '#domains/messages/api.ts'
import { scheduled as messagesScheduled } from '#domains/messages/jobs.ts'
import {
  inboundRoutes as messagesInboundRoutes,
  reactions as messagesReactions,
} from '#domains/messages/reactions.ts'
import * as opportunitiesContract from '#domains/opportunities/contract.ts'
import { api as opportunitiesApi } from '#domains/opportunities/api.ts'
import { sweeps as opportunitiesSweeps } from '#domains/opportunities/jobs.ts'
import * as projectsContract from '#domains/projects/contract.ts'
import { api as projectsApi } from '#domains/projects/api.ts'
import { jobs as projectsJobs, sweeps as projectsSweeps } from '#domains/projects/jobs.ts'
import { reactions as projectsReactions } from '#domains/projects/reactions.ts'
import * as sequencesContract from '#domains/sequences/contract.ts'
import { api as sequencesApi } from '#domains/sequences/api.ts'
import { sweeps as sequencesSweeps } from '#domains/sequences/jobs.ts'
import * as enrolmentsContract from '#domains/enrolments/contract.ts'
import { api as enrolmentsApi } from '#domains/enrolments/api.ts'
import { jobs as enrolmentsJobs, scheduled as enrolmentsScheduled } from '#domains/enrolments/jobs.ts'
import { reactions as enrolmentsReactions } from '#domains/enrolments/reactions.ts'
import * as importsContract from '#domains/imports/contract.ts'
import { api as importsApi } from '#domains/imports/api.ts'
import { jobs as importsJobs, sweeps as importsSweeps } from '#domains/imports/jobs.ts'
import * as formsContract from '#domains/forms/contract.ts'
import { api as formsApi } from '#domains/forms/api.ts'
import { jobs as formsJobs, sweeps as formsSweeps } from '#domains/forms/jobs.ts'
import { reactions as formsReactions } from '#domains/forms/reactions.ts'
import * as notificationsContract from '#domains/notifications/contract.ts'
import { api as notificationsApi } from '#domains/notifications/api.ts'
import { jobs as notificationsJobs, sweeps as notificationsSweeps } from '#domains/notifications/jobs.ts'
import { reactions as notificationsReactions } from '#domains/notifications/reactions.ts'
import * as creditsContract from '#domains/credits/contract.ts'
import { api as creditsApi } from '#domains/credits/api.ts'
import { refuseWhenExpired } from '#domains/credits/gate.ts'
import { jobs as creditsJobs, scheduled as creditsScheduled } from '#domains/credits/jobs.ts'
import * as candidatesContract from '#domains/candidates/contract.ts'
import { api as candidatesApi } from '#domains/candidates/api.ts'
import {
  attendants as candidatesAttendants,
  jobs as candidatesJobs,
  scheduled as candidatesScheduled,
  sweeps as candidatesSweeps,
} from '#domains/candidates/jobs.ts'
import { factsAbout } from '#domains/candidates/offer.ts'
import * as settlementsContract from '#domains/settlements/contract.ts'
import { api as settlementsApi } from '#domains/settlements/api.ts'
import { scheduled as settlementsScheduled } from '#domains/settlements/jobs.ts'
import * as invoicesContract from '#domains/invoices/contract.ts'
import { api as invoicesApi } from '#domains/invoices/api.ts'
import { generateInvoice } from '#domains/invoices/generation.ts'
import { jobs as invoicesJobs, sweeps as invoicesSweeps } from '#domains/invoices/jobs.ts'
import {
  inboundRoutes as invoicesInboundRoutes,
  reactions as invoicesReactions,
} from '#domains/invoices/reactions.ts'
import * as agentsContract from '#domains/agents/contract.ts'
import { api as agentsApi } from '#domains/agents/api.ts'
import { sweeps as agentsSweeps } from '#domains/agents/jobs.ts'
import { reactions as agentsReactions } from '#domains/agents/reactions.ts'
import * as meetingsContract from '#domains/meetings/contract.ts'
import { publicEndpoints as meetingsPublicEndpoints } from '#domains/meetings/public-contract.ts'
import { api as meetingsApi, publicApi as meetingsPublicApi } from '#domains/meetings/api.ts'
import { jobs as meetingsJobs } from '#domains/meetings/jobs.ts'
import { bookingPages } from '#domains/meetings/booking-pages.ts'
import { meetingLinkFor } from '#domains/meetings/links.ts'
import { reactions as meetingsReactions } from '#domains/meetings/reactions.ts'
import * as callsContract from '#domains/calls/contract.ts'
import { api as callsApi } from '#domains/calls/api.ts'
import { jobs as callsJobs, sweeps as callsSweeps } from '#domains/calls/jobs.ts'
import { inboundRoutes as callsInboundRoutes, reactions as callsReactions } from '#domains/calls/reactions.ts'
import { answerTool } from '#domains/calls/tool-calls.ts'
import * as softphoneContract from '#domains/softphone/contract.ts'
import { api as softphoneApi } from '#domains/softphone/api.ts'
import { startAttendant } from '#domains/softphone/attendant.ts'
import { declineCall } from '#domains/softphone/incoming.ts'
import { jobs as softphoneJobs, sweeps as softphoneSweeps } from '#domains/softphone/jobs.ts'
import { planCall, scheduleCall } from '#domains/softphone/offer.ts'
import {
  inboundRoutes as softphoneInboundRoutes,
  reactions as softphoneReactions,
} from '#domains/softphone/reactions.ts'
import * as mailboxesContract from '#domains/mailboxes/contract.ts'
import { api as mailboxesApi } from '#domains/mailboxes/api.ts'
import { attendants as mailboxesAttendants, jobs as mailboxesJobs } from '#domains/mailboxes/jobs.ts'
import {
  wholeApi as conversationsApi,
  wholeEndpoints as conversationsEndpoints,
} from '#domains/conversations/whole-api.ts'
import { jobs as conversationsJobs } from '#domains/conversations/jobs.ts'
import { reactions as conversationsReactions } from '#domains/conversations/reactions.ts'
import { isForwarded } from '#domains/conversations/forward.ts'
import { takeMessage } from '#domains/conversations/receive.ts'
import * as chatContract from '#domains/chat/contract.ts'
import { api as chatApi } from '#domains/chat/api.ts'
import { jobs as chatJobs, sweeps as chatSweeps } from '#domains/chat/jobs.ts'
import { reactions as chatReactions } from '#domains/chat/reactions.ts'
import * as fieldsContract from '#domains/fields/contract.ts'
import { api as fieldsApi } from '#domains/fields/api.ts'
import * as viewsContract from '#domains/views/contract.ts'
import { api as viewsApi } from '#domains/views/api.ts'
import * as workflowsContract from '#domains/workflows/contract.ts'
import { api as workflowsApi } from '#domains/workflows/api.ts'
import { jobs as workflowsJobs, sweeps as workflowsSweeps } from '#domains/workflows/jobs.ts'
import { reactions as workflowsReactions } from '#domains/workflows/reactions.ts'
import * as erasuresContract from '#domains/erasures/contract.ts'
import { api as erasuresApi } from '#domains/erasures/api.ts'
import { jobs as erasuresJobs } from '#domains/erasures/jobs.ts'
import * as searchContract from '#domains/search/contract.ts'
import { api as searchApi } from '#domains/search/api.ts'
import * as homeContract from '#domains/home/contract.ts'
import { api as homeApi } from '#domains/home/api.ts'
import * as liveContract from '#domains/live/contract.ts'
import { api as liveApi } from '#domains/live/api.ts'
import * as operationsContract from '#domains/operations/contract.ts'
import { api as operationsApi } from '#domains/operations/api.ts'
import { scheduled as operationsScheduled } from '#domains/operations/jobs.ts'

export type Domain = {
  name: string
  /** What it is for, in a sentence of the API reference. */
  about?: string
  endpoints: Endpoints
  api: Handlers<Endpoints>
  reactions?: readonly Reaction[]
  jobs?: readonly JobDefinition[]
  scheduled?: readonly ScheduledJob[]
  sweeps?: readonly Sweep[]
  bearers?: readonly BearerKind[]
  inboundRoutes?: readonly InboundRoute[]
  dataSources?: readonly DataSource[]
  gates?: readonly Gate[]
  offers?: Offers
  /** Runs continuously in every worker process, and hands back its work when it is stopped. */
  attendants?: readonly Attendant[]
}

const about: Record<string, string> = {
  identity: 'Sign-in, sessions, teams, members, invitations and API keys.',
  oauth: 'OAuth 2.0 authorization server: consent, tokens, and the apps a team manages.',
  audit: 'Who did what in the team, and when.',
  retention: 'How long the team keeps its audit log, runs, webhooks, transcripts and other data.',
  suppressions: 'Email addresses and phone numbers that are never contacted.',
  webhooks: 'Incoming webhooks from providers, with an inbox to inspect and replay them.',
  deliveries: 'Outgoing webhooks and every delivery attempt.',
  accounts: 'Companies the team does business with.',
  leads: 'Potential customers: fields, pipeline, timeline, bulk changes and export.',
  templates: 'Email and SMS templates with placeholders.',
  messages:
    'Every email, SMS and WhatsApp message sent, with delivery and replies, and the outreach settings.',
  opportunities: 'Deals with an amount and a stage.',
  projects: 'Projects, boards and tasks.',
  sequences: 'Multi-step outreach: what is sent, when and on which condition.',
  enrolments: 'Leads enrolled in sequences, with the reason for every decision.',
  files: 'Files of messages: upload and download.',
  imports: 'Lead imports from CSV files.',
  forms: 'Hosted and embedded forms, and their submissions.',
  notifications: 'Notifications for team members, in the app and by Web Push.',
  credits: "The team's credits, quota and ledger.",
  candidates: 'Companies found by website, enriched and scored, ready to convert to leads.',
  settlements: 'On-chain payments received by the team.',
  invoices: 'Invoices, payments, customer credit and billing settings.',
  agents: 'Voice agents: instructions, tools, phone numbers, and selling them to other programs.',
  meetings: 'Meetings, booking pages, availability and calendars.',
  calls: 'Every call with its transcript, outcome and follow-up.',
  softphone: 'Calls placed by an agent: start, monitor, prompt and stop.',
  mailboxes: 'Shared and personal mailboxes: connecting them, and their health.',
  conversations:
    'What the team and its leads write to each other by email, SMS, WhatsApp and web chat, with calls and notes.',
  chat: 'Web chat: the widgets of a team, and what visitors of its sites write and read.',
  fields: 'What records can be filtered by.',
  views: 'Saved list views.',
  erasures: 'Personal data: export everything stored about a person, or erase it permanently.',
  workflows: 'Automations: triggers, conditions and actions, with versions and runs.',
  search: 'Search across all records.',
  home: 'Figures for the home page.',
  live: "A live stream of the team's changes.",
  operations: 'Scheduled jobs, failed jobs and the health of the installation.',
}

/** The domains in their order: one may call those above it, everything else is an event. `test/tidy.test.ts` watches. */
export const domains: readonly Domain[] = [
  domain('mail', mailContract.endpoints, mailApi, { jobs: mailJobs }),
  domain('identity', identityContract.endpoints, identityApi, { jobs: identityJobs, bearers: [apiKey] }),
  domain('oauth', oauthContract.endpoints, oauthApi, { bearers: [accessToken] }),
  domain('audit', auditContract.endpoints, auditApi),
  domain('retention', retentionContract.endpoints, retentionApi),
  domain('suppressions', suppressionsContract.endpoints, suppressionsApi),
  domain('files', filesContract.endpoints, filesApi, { sweeps: filesSweeps }),
  domain('webhooks', webhooksContract.endpoints, webhooksApi, {
    jobs: webhooksJobs,
    dataSources: [webhooksBodies],
  }),
  domain('deliveries', deliveriesContract.endpoints, deliveriesApi, {
    jobs: deliveriesJobs,
    sweeps: deliveriesSweeps,
  }),
  domain('accounts', accountsContract.endpoints, accountsApi, { sweeps: accountsSweeps }),
  domain('leads', leadsContract.endpoints, leadsApi, {
    reactions: leadsReactions,
    inboundRoutes: leadsInboundRoutes,
    jobs: leadsJobs,
    sweeps: leadsSweeps,
  }),
  domain('templates', templatesContract.endpoints, templatesApi, { sweeps: templatesSweeps }),
  domain('messages', messagesContract.endpoints, messagesApi, {
    reactions: messagesReactions,
    inboundRoutes: messagesInboundRoutes,
    scheduled: messagesScheduled,
  }),
  domain('opportunities', opportunitiesContract.endpoints, opportunitiesApi, { sweeps: opportunitiesSweeps }),
  domain('projects', projectsContract.endpoints, projectsApi, {
    reactions: projectsReactions,
    jobs: projectsJobs,
    sweeps: projectsSweeps,
  }),
  domain('sequences', sequencesContract.endpoints, sequencesApi, { sweeps: sequencesSweeps }),
  domain('enrolments', enrolmentsContract.endpoints, enrolmentsApi, {
    reactions: enrolmentsReactions,
    jobs: enrolmentsJobs,
    scheduled: enrolmentsScheduled,
  }),
  domain('imports', importsContract.endpoints, importsApi, { jobs: importsJobs, sweeps: importsSweeps }),
  domain('forms', formsContract.endpoints, formsApi, {
    reactions: formsReactions,
    jobs: formsJobs,
    sweeps: formsSweeps,
  }),
  domain('notifications', notificationsContract.endpoints, notificationsApi, {
    reactions: notificationsReactions,
    jobs: notificationsJobs,
    sweeps: notificationsSweeps,
  }),
  domain('credits', creditsContract.endpoints, creditsApi, {
    jobs: creditsJobs,
    scheduled: creditsScheduled,
    gates: [refuseWhenExpired],
  }),
  domain('candidates', candidatesContract.endpoints, candidatesApi, {
    jobs: candidatesJobs,
    scheduled: candidatesScheduled,
    sweeps: candidatesSweeps,
    offers: { factsAbout },
    attendants: candidatesAttendants,
  }),
  domain('settlements', settlementsContract.endpoints, settlementsApi, { scheduled: settlementsScheduled }),
  domain('invoices', invoicesContract.endpoints, invoicesApi, {
    reactions: invoicesReactions,
    inboundRoutes: invoicesInboundRoutes,
    jobs: invoicesJobs,
    sweeps: invoicesSweeps,
    offers: { generateInvoice },
  }),
  domain('agents', agentsContract.endpoints, agentsApi, {
    reactions: agentsReactions,
    sweeps: agentsSweeps,
  }),
  domain(
    'meetings',
    { ...meetingsContract.endpoints, ...meetingsPublicEndpoints },
    { ...meetingsApi, ...meetingsPublicApi },
    { reactions: meetingsReactions, jobs: meetingsJobs, offers: { meetingLinkFor, bookingPages } },
  ),
  domain('calls', callsContract.endpoints, callsApi, {
    reactions: callsReactions,
    inboundRoutes: callsInboundRoutes,
    jobs: callsJobs,
    sweeps: callsSweeps,
    offers: { answerTool },
  }),
  domain('softphone', softphoneContract.endpoints, softphoneApi, {
    reactions: softphoneReactions,
    inboundRoutes: softphoneInboundRoutes,
    jobs: softphoneJobs,
    sweeps: softphoneSweeps,
    offers: { scheduleCall, planCall, declineCall },
    attendants: [startAttendant],
  }),
  domain('mailboxes', mailboxesContract.endpoints, mailboxesApi, {
    jobs: mailboxesJobs,
    attendants: mailboxesAttendants,
  }),
  domain('conversations', conversationsEndpoints, conversationsApi, {
    reactions: conversationsReactions,
    jobs: conversationsJobs,
    offers: { takeMessage, isForwarded },
  }),
  domain('chat', chatContract.endpoints, chatApi, {
    reactions: chatReactions,
    jobs: chatJobs,
    sweeps: chatSweeps,
  }),
  domain('fields', fieldsContract.endpoints, fieldsApi),
  domain('views', viewsContract.endpoints, viewsApi),
  domain('workflows', workflowsContract.endpoints, workflowsApi, {
    reactions: workflowsReactions,
    jobs: workflowsJobs,
    sweeps: workflowsSweeps,
  }),
  domain('erasures', erasuresContract.endpoints, erasuresApi, { jobs: erasuresJobs }),
  domain('search', searchContract.endpoints, searchApi),
  domain('home', homeContract.endpoints, homeApi),
  domain('live', liveContract.endpoints, liveApi),
  domain('operations', operationsContract.endpoints, operationsApi, { scheduled: operationsScheduled }),
]

export function registryOf(domains: readonly Domain[]): Registry {
  return createRegistry({
    reactions: domains.flatMap(domain => domain.reactions ?? []),
    jobs: domains.flatMap(domain => domain.jobs ?? []),
    scheduled: domains.flatMap(domain => domain.scheduled ?? []),
    sweeps: domains.flatMap(domain => domain.sweeps ?? []),
    bearers: domains.flatMap(domain => domain.bearers ?? []),
    inboundRoutes: domains.flatMap(domain => domain.inboundRoutes ?? []),
    dataSources: domains.flatMap(domain => domain.dataSources ?? []),
    gates: domains.flatMap(domain => domain.gates ?? []),
    offers: Object.assign({}, ...domains.map(({ offers }) => offers)) as Offers,
  })
}

type Parts = Omit<Domain, 'name' | 'about' | 'endpoints' | 'api'>

function domain<E extends Endpoints>(
  name: string,
  endpoints: E,
  api: Handlers<E>,
  parts: Parts = {},
): Domain {
  return {
    name,
    ...(about[name] && { about: about[name] }),
    endpoints,
    api: api as unknown as Handlers<Endpoints>,
    ...parts,
  }
}
