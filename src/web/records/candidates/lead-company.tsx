import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import IconWorldSearch from 'icon:world-search'
import { Fragment } from 'react'
import type { Candidate, Fact } from '#domains/candidates/contract.ts'
import { CRAWL_CREDITS } from '#domains/candidates/values.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { patterns } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { Panel, PanelNote, PanelWaiting } from '../../ui/panel.tsx'
import { useSubmit, type Submit } from '../../ui/use-submit.ts'
import { plural } from '../../ui/words.ts'
import { Outside } from './about.tsx'
import { domainOf } from './addresses.ts'
import { briefOf } from './summary.ts'
import { lookUp } from './candidate-writes.ts'
import { companyQuery } from './candidates-cache.ts'
import { Status } from './status.tsx'
import { isUnderWay, keyOf, linkOf, pageName, statusWords } from './words.ts'
import textClasses from '../../ui/text.module.css'
import fieldsClasses from '../../ui/fields.module.css'
import factsClasses from '../../ui/facts.module.css'
import classes from './lead-company.module.css'

/** Facts about a lead's company, or a button to look it up. */
export function LeadCompany({ lead }: { lead: Lead }) {
  const domain = domainOf(lead)
  const canWrite = useCan('leads:write')
  const { data: candidate, isError } = useQuery(companyQuery(lead.id, domain))
  // Nothing to find without a company domain, and viewers cannot start a lookup.
  if (candidate === null && !(domain && canWrite)) return null
  if (candidate === undefined && !domain) return null
  return (
    <div className={fieldsClasses.wide}>
      <Panel
        title="Company facts"
        beside={candidate ? candidate.domain : undefined}
        action={
          candidate && (
            <span className={classes.all}>
              <Link to={patterns.candidate} params={{ id: candidate.id }}>
                {candidate.facts_count > 0 ? `All ${plural(candidate.facts_count, 'fact')}` : 'Open'}
              </Link>
            </span>
          )
        }
      >
        {isError && candidate === undefined && <PanelNote>Couldn't load company facts.</PanelNote>}
        {candidate === undefined && !isError && <PanelWaiting />}
        {candidate === null && domain && <Unknown lead={lead} domain={domain} />}
        {candidate && <Known candidate={candidate} />}
        {candidate?.lead_id === null && canWrite && <Unlinked lead={lead} />}
      </Panel>
    </div>
  )
}

function Unknown({ lead, domain }: { lead: Lead; domain: string }) {
  const { busy, submit } = useLookUp(lead)
  return (
    <div className={classes.unknown}>
      <span>No data on {domain} yet.</span>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconWorldSearch size={16} />}
        loading={busy}
        onClick={submit}
      >
        Look up for {plural(CRAWL_CREDITS, 'credit')}
      </Button>
    </div>
  )
}

/** The candidate is not linked to a lead: linking it makes its facts available for messages. */
function Unlinked({ lead }: { lead: Lead }) {
  const { busy, submit } = useLookUp(lead)
  return (
    <div className={classes.unknown}>
      <span>Link it to show its changes on the timeline and use its facts in messages.</span>
      <Button size="xs" variant="default" loading={busy} onClick={submit}>
        Link to this lead
      </Button>
    </div>
  )
}

function useLookUp({ id }: Lead): Submit {
  const { history } = useRouter()
  return useSubmit(() => lookUp(id, path => history.push(path)))
}

function Known({ candidate }: { candidate: Candidate }) {
  const { status, error, description, data } = candidate
  const brief = briefOf(data.facts)
  if (isUnderWay(candidate) && data.facts.length === 0)
    return (
      <PanelNote>
        <Status status={status} />
      </PanelNote>
    )
  if (data.facts.length === 0)
    return <PanelNote>{error ?? (status === 'CRAWLED' ? NOTHING : statusWords[status].about)}</PanelNote>
  return (
    <div className={classes.known}>
      {description && <p className={classes.description}>{description}</p>}
      {brief.length > 0 && (
        <dl className={`${factsClasses.facts} ${classes.brief}`}>
          {brief.map(({ label, facts, more }) => (
            <Fragment key={label}>
              <dt>{label}</dt>
              <dd>
                {facts.map((fact, at) => (
                  <Fragment key={keyOf(fact)}>
                    {at > 0 && ', '}
                    <Short fact={fact} />
                  </Fragment>
                ))}
                {more > 0 && ` and ${more} more`}
              </dd>
            </Fragment>
          ))}
        </dl>
      )}
    </div>
  )
}

const NOTHING = 'No facts found on its site.'

/** Social links show their name, other facts their value; the title is the source page. */
function Short({ fact }: { fact: Fact }) {
  const { kind, label, value, url } = fact
  const link = linkOf(fact)
  return (
    <span title={`Source: ${pageName(url)}`}>
      {kind === 'social' ? (
        <Outside href={link}>{label ?? pageName(value)}</Outside>
      ) : link && (kind === 'email' || kind === 'phone') ? (
        <a href={link}>{value}</a>
      ) : (
        value
      )}
      {kind === 'person' && label && <span className={textClasses.dim}> ({label})</span>}
    </span>
  )
}
