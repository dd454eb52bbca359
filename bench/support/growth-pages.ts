/** What somebody opens: its name, its address, and how many milliseconds it may take where that is not the usual. */
export type GrowthPage = [name: string, path: string, max?: number]
export type Entry = { lead_id: string; actor: { id: string }; subject: { id: string } }

const SEARCH_MS_MAX = 150
const DAY_MS = 86_400_000

type OfLeads = { lead: { id: string; owner_id: string }; event: Entry; furtherOn: string }

export function pagesOfLeads({ lead, event, furtherOn }: OfLeads): GrowthPage[] {
  return [
    ['home', '/api/crm/home'],
    ['leads, newest first', '/api/crm/leads?limit=100'],
    ['leads by name', '/api/crm/leads?limit=100&sort=last_name'],
    ['leads by name, further on', `/api/crm/leads?limit=100&sort=last_name&cursor=${furtherOn}`],
    ['leads by last activity', '/api/crm/leads?limit=100&sort=-last_activity_at'],
    ['leads of an owner', `/api/crm/leads?limit=100&owner_id=${lead.owner_id}`],
    ['leads with a status', '/api/crm/leads?limit=100&status=NEW'],
    ['leads with a status that none has', '/api/crm/leads?limit=100&status=CUSTOMER'],
    ['leads of a source that none has', '/api/crm/leads?limit=100&source=nowhere'],
    ['leads with a status and a source', '/api/crm/leads?limit=100&status=NEW&source=import&sort=company'],
    ['outline', '/api/crm/leads/outline'],
    ['outline by name', '/api/crm/leads/outline?sort=last_name'],
    ['outline with a status', '/api/crm/leads/outline?status=NEW'],
    ['outline of an owner', `/api/crm/leads/outline?owner_id=${lead.owner_id}`],
    ['board', '/api/crm/leads/board'],
    ['board of an owner', `/api/crm/leads/board?owner_id=${lead.owner_id}`],
    ['column of the board', '/api/crm/leads?limit=50&pipeline_stage=Won'],
    ['lead', `/api/crm/leads/${lead.id}`],
    ['timeline', `/api/crm/leads/${event.lead_id}/timeline`],
    ['audit', '/api/team/audit?limit=50'],
    ['audit by type', '/api/team/audit?limit=50&type=call.completed'],
    ['audit by a type that never was', '/api/team/audit?limit=50&type=lead.purged'],
    ['audit by kind of actor', '/api/team/audit?limit=50&actor_kind=key'],
    ['audit by kind of actor, none', '/api/team/audit?limit=50&actor_kind=provider'],
    ['audit by actor', `/api/team/audit?limit=50&actor_id=${event.actor.id}`],
    ['audit by kind of subject', '/api/team/audit?limit=50&subject_kind=call'],
    ['audit by kind of subject, none', '/api/team/audit?limit=50&subject_kind=invoice'],
    ['audit by subject', `/api/team/audit?limit=50&subject_id=${event.subject.id}`],
    ['audit by time', `/api/team/audit?limit=50&until=${ago(365)}`],
    ['audit by time and type', `/api/team/audit?limit=50&until=${ago(365)}&type=lead.noted`],
    ['search for a name', '/api/crm/leads?limit=100&q=hopper', SEARCH_MS_MAX],
    ['search for two words', '/api/crm/leads?limit=100&q=ada+northwind', SEARCH_MS_MAX],
    ['search for three words', '/api/crm/leads?limit=100&q=ada+lovelace+globex+12', SEARCH_MS_MAX],
    ['search for one lead', '/api/crm/leads?limit=100&q=ada.lovelace224', SEARCH_MS_MAX],
    ['search for nobody', '/api/crm/leads?limit=100&q=zzzzqqq', SEARCH_MS_MAX],
    ['outline of a search', '/api/crm/leads/outline?q=ada+northwind', SEARCH_MS_MAX],
    ['palette', '/api/crm/search?q=ada+lov', SEARCH_MS_MAX],
    ['palette, a typo', '/api/crm/search?q=lovelcae', SEARCH_MS_MAX],
  ]
}

export function pagesOfRecords({ owner_id, lead_id }: { owner_id: string; lead_id: string }): GrowthPage[] {
  return [
    ['tasks', '/api/crm/tasks?limit=100'],
    ['tasks by title', '/api/crm/tasks?limit=100&sort=title'],
    ['tasks to do', '/api/crm/tasks?limit=100&status=TODO'],
    ['tasks with a status that few have', '/api/crm/tasks?limit=100&status=DOING&sort=-updated_at'],
    ['tasks of an assignee', `/api/crm/tasks?limit=100&assignee_id=${owner_id}&status=TODO`],
    ['tasks done since yesterday', `/api/crm/tasks?limit=100&done_after=${ago(1)}`],
    ['tasks of a lead', `/api/crm/tasks?limit=100&lead_id=${lead_id}`],
    ['search for a task', '/api/crm/tasks?limit=100&q=hedy+31', SEARCH_MS_MAX],
    ['accounts', '/api/crm/accounts?limit=100'],
    ['accounts by name', '/api/crm/accounts?limit=100&sort=name'],
    ['accounts of an owner', `/api/crm/accounts?limit=100&owner_id=${owner_id}`],
    ['accounts of an industry that none has', '/api/crm/accounts?limit=100&industry=Mining'],
    ['outline of accounts', '/api/crm/accounts/outline?sort=name'],
    ['search for an account', '/api/crm/accounts?limit=100&q=globex+77', SEARCH_MS_MAX],
    ['opportunities', '/api/crm/opportunities?limit=100'],
    ['opportunities by amount', '/api/crm/opportunities?limit=100&sort=-amount'],
    ['opportunities in a stage that few have', '/api/crm/opportunities?limit=100&stage=negotiation'],
    ['opportunities in a stage that none has', '/api/crm/opportunities?limit=100&stage=prospecting'],
    ['opportunities of an owner', `/api/crm/opportunities?limit=100&owner_id=${owner_id}`],
    ['opportunities in a currency that none has', '/api/crm/opportunities?limit=100&currency=JPY'],
    [
      'opportunities that close soon',
      `/api/crm/opportunities?limit=100&close_after=${day(0)}&sort=close_date`,
    ],
    ['opportunities closed since yesterday', `/api/crm/opportunities?limit=100&closed_after=${ago(1)}`],
    ['outline of opportunities', '/api/crm/opportunities/outline'],
    ['board of opportunities', '/api/crm/opportunities/board?stage=negotiation'],
    ['board of opportunities, all of them', '/api/crm/opportunities/board'],
    ['forecast', '/api/crm/opportunities/forecast'],
    ['invoices', '/api/crm/invoices?limit=100'],
    ['invoices with a status that few have', '/api/crm/invoices?limit=100&status=OPEN'],
    ['invoices with a status that none has', '/api/crm/invoices?limit=100&status=VOID'],
    ['overdue invoices', '/api/crm/invoices?limit=100&overdue=true'],
    ['invoice totals', '/api/crm/invoices/totals'],
    ['outline of invoices', '/api/crm/invoices/outline'],
    ['enrolments', '/api/outreach/enrolments?limit=100'],
    ['enrolments with a status that few have', '/api/outreach/enrolments?limit=100&status=PENDING'],
    ['enrolments with a status that none has', '/api/outreach/enrolments?limit=100&status=CONVERTED'],
    ['enrolments that nobody replied to', '/api/outreach/enrolments?limit=100&reached=replied'],
    ['calls', '/api/voice/calls?limit=100'],
    ['calls with a status that few have', '/api/voice/calls?limit=100&status=FAILED'],
    ['calls with a status that none has', '/api/voice/calls?limit=100&status=NO_ANSWER'],
    ['calls of a kind that none is', '/api/voice/calls?limit=100&kind=agent'],
    ['calls of a lead', `/api/voice/calls?limit=100&lead_id=${lead_id}`],
    ['figures of calls, 30 days', `/api/voice/analytics?from=${ago(30)}&until=${ago(0)}`],
    ['messages', '/api/outreach/messages?limit=100'],
    ['messages with a status that few have', '/api/outreach/messages?limit=100&status=FAILED'],
    ['messages with a status that none has', '/api/outreach/messages?limit=100&status=CANCELLED'],
    ['messages by text', '/api/outreach/messages?limit=100&channel=sms'],
    ['messages that bounced', '/api/outreach/messages?limit=100&outcome=bounced'],
    ['messages that somebody replied to', '/api/outreach/messages?limit=100&outcome=replied'],
    ['messages to an address', '/api/outreach/messages?limit=100&q=lead12', SEARCH_MS_MAX],
    ['messages of a lead', `/api/outreach/messages?limit=100&lead_id=${lead_id}`],
  ]
}

function ago(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString()
}

function day(ahead: number): string {
  return ago(-ahead).slice(0, 10)
}
