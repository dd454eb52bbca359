import type { Context } from '#platform/context.ts'
import type { Scope } from '#platform/scopes.ts'
import { quickAccounts } from '#domains/accounts/service.ts'
import { quickCandidates } from '#domains/candidates/listing.ts'
import { quickForms } from '#domains/forms/service.ts'
import { quickInvoices } from '#domains/invoices/service.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { likeLeads, quickLeads } from '#domains/leads/listing.ts'
import { nameOf } from '#domains/leads/model.ts'
import { quickMeetings } from '#domains/meetings/service.ts'
import { quickOpportunities } from '#domains/opportunities/service.ts'
import { quickProjects } from '#domains/projects/projects.ts'
import { quickTasks } from '#domains/projects/tasks.ts'
import { quickSequences } from '#domains/sequences/service.ts'
import { quickWorkflows } from '#domains/workflows/service.ts'
import type { Hit } from './contract.ts'
import { hitKinds, HITS_PER_KIND_MAX, type HitKind } from './values.ts'

type Finder = { scope: Scope; find: (ctx: Context, q: string) => Promise<Omit<Hit, 'kind'>[]> }

/** Every kind at the same time, and of each only what the caller may read. */
export async function search(ctx: Context, q: string, kinds: readonly HitKind[] = hitKinds): Promise<Hit[]> {
  if (!q.trim()) return []
  const scopes = ctx.principal?.scopes
  const allowed = hitKinds.filter(kind => kinds.includes(kind) && scopes?.has(finders[kind].scope))
  const found = await Promise.all(allowed.map(kind => finders[kind].find(ctx, q)))
  const hits = found.flatMap((hits, at) => hits.map(hit => ({ kind: allowed[at]!, ...hit })))
  if (hits.length > 0 || !allowed.includes('lead')) return hits
  // A typo, most likely in somebody's name.
  return (await likeLeads(ctx, q, HITS_PER_KIND_MAX)).map(lead => ({ kind: 'lead', ...leadHit(lead) }))
}

const finders: Record<HitKind, Finder> = {
  lead: {
    scope: 'leads:read',
    find: async (ctx, q) => (await quickLeads(ctx, q, HITS_PER_KIND_MAX)).map(leadHit),
  },
  account: {
    scope: 'accounts:read',
    find: async (ctx, q) =>
      (await quickAccounts(ctx, q, HITS_PER_KIND_MAX)).map(({ id, name, domain, industry }) => ({
        id,
        title: name,
        detail: joined(domain, industry),
      })),
  },
  candidate: {
    scope: 'leads:read',
    find: async (ctx, q) =>
      (await quickCandidates(ctx, q, HITS_PER_KIND_MAX)).map(({ id, name, domain, email }) => ({
        id,
        title: name ?? domain,
        detail: joined(name && domain, email),
      })),
  },
  opportunity: {
    scope: 'leads:read',
    find: async (ctx, q) =>
      (await quickOpportunities(ctx, q, HITS_PER_KIND_MAX)).map(({ id, name, stage, amount, currency }) => ({
        id,
        title: name,
        detail: joined(stage.replace('_', ' '), amount && `${amount} ${currency}`),
      })),
  },
  invoice: {
    scope: 'billing:read',
    find: async (ctx, q) =>
      (await quickInvoices(ctx, q, HITS_PER_KIND_MAX)).map(({ id, number, customer, amount, currency }) => ({
        id,
        title: number ?? 'Draft invoice',
        detail: joined(customer.name ?? customer.email, `${amount} ${currency}`),
      })),
  },
  project: {
    scope: 'projects:read',
    find: async (ctx, q) =>
      (await quickProjects(ctx, q, HITS_PER_KIND_MAX)).map(({ id, name, status }) => ({
        id,
        title: name,
        detail: status.toLowerCase().replace('_', ' '),
      })),
  },
  task: {
    scope: 'projects:read',
    find: async (ctx, q) =>
      (await quickTasks(ctx, q, HITS_PER_KIND_MAX)).map(({ id, title, status, due_at }) => ({
        id,
        title,
        detail: joined(status === 'DONE' ? 'done' : null, due_at && `due ${due_at.slice(0, 10)}`),
      })),
  },
  meeting: {
    scope: 'meetings:read',
    find: async (ctx, q) =>
      (await quickMeetings(ctx, q, HITS_PER_KIND_MAX)).map(({ id, title, status, starts_at }) => ({
        id,
        title,
        detail: joined(
          starts_at.slice(0, 10),
          status === 'BOOKED' ? null : status.toLowerCase().replace('_', ' '),
        ),
      })),
  },
  form: {
    scope: 'forms:read',
    find: async (ctx, q) =>
      (await quickForms(ctx, q, HITS_PER_KIND_MAX)).map(({ id, name, slug, published }) => ({
        id,
        title: name,
        detail: joined(`/f/${slug}`, published ? null : 'not published'),
      })),
  },
  sequence: {
    scope: 'outreach:write',
    find: async (ctx, q) =>
      (await quickSequences(ctx, q, HITS_PER_KIND_MAX)).map(({ id, name, status }) => ({
        id,
        title: name,
        detail: status.toLowerCase(),
      })),
  },
  workflow: {
    scope: 'workflows:read',
    find: async (ctx, q) =>
      (await quickWorkflows(ctx, q, HITS_PER_KIND_MAX)).map(({ id, name, status }) => ({
        id,
        title: name,
        detail: status.toLowerCase(),
      })),
  },
}

function leadHit(lead: Lead): Omit<Hit, 'kind'> {
  const title = nameOf(lead)
  const others = [lead.company, lead.email, lead.phone].filter(part => part !== title)
  return { id: lead.id, title, detail: joined(...others.slice(0, 2)) }
}

function joined(...parts: (string | null | undefined)[]): string | null {
  return parts.filter(Boolean).join(' · ') || null
}
