import { ActionIcon, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate, useRouter } from '@tanstack/react-router'
import IconArrowLeft from 'icon:arrow-left'
import IconRefresh from 'icon:refresh'
import IconTrash from 'icon:trash'
import IconUserPlus from 'icon:user-plus'
import IconWorldOff from 'icon:world-off'
import type { Candidate } from '#domains/candidates/contract.ts'
import { paths, patterns } from '../../paths.ts'
import { isProblem } from '../../problem.ts'
import { useCan } from '../../queries.ts'
import { useCommands, type Command } from '../../ui/commands.ts'
import { useKeys } from '../../ui/keys.ts'
import { InTrash } from '../../ui/in-trash.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Bar, Empty, Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { useSubmit, type Submit } from '../../ui/use-submit.ts'
import { About } from '../../records/candidates/about.tsx'
import { convert, crawlAgain, trashMany } from '../../records/candidates/candidate-writes.ts'
import { Facts } from './facts.tsx'
import { candidateName, isKnown, isUnderWay } from '../../records/candidates/words.ts'
import layout from '../../ui/panel-columns.module.css'
import fieldClasses from '../../ui/value-rows.module.css'
import pageClasses from '../../ui/page.module.css'
import textClasses from '../../ui/text.module.css'
import { leads } from '../../records/leads/store.ts'
import { candidates } from '../../records/candidates/store.ts'

const route = getRouteApi('/candidates/$id')

/** The facts about one company, each with its source page. */
export function CandidatePage() {
  const { id } = route.useParams()
  const query = useQuery(candidates.query(id))
  const candidate = query.data
  useTitle(candidate ? candidateName(candidate) : 'Candidate')
  if (isProblem(query.error, 404) && query.error.code === 'in_trash') return <Trashed id={id} />
  if (isProblem(query.error, 404)) return <NoSuchCandidate />
  if (candidate?.deleted_at) return <Trashed id={id} />
  if (query.error && !candidate) return <Fault whole error={query.error} retry={() => void query.refetch()} />
  if (!candidate) return <Waiting />
  return <Shown key={id} candidate={candidate} />
}

function Shown({ candidate }: { candidate: Candidate }) {
  const navigate = useNavigate()
  const canWrite = useCan('leads:write')
  const acts = useActs(candidate)
  const isLead = useIsLead(candidate)
  const back = () => void navigate({ to: paths.candidates })
  useKeys({ u: back })
  useCommands(canWrite ? commandsFor(candidate, isLead, acts) : [])
  return (
    <>
      <PageHead
        record
        title={candidateName(candidate)}
        beside={
          candidate.name && (
            <span className={`${textClasses.dim} ${textClasses.cut} ${layout.beside}`}>
              {candidate.domain}
            </span>
          )
        }
        actions={<Actions candidate={candidate} isLead={isLead} acts={canWrite ? acts : undefined} />}
      />
      <div className={pageClasses.scroll}>
        <div className={pageClasses.bar}>
          <LinkButton
            to={paths.candidates}
            size="xs"
            variant="subtle"
            color="gray"
            leftSection={<IconArrowLeft size={16} />}
          >
            Candidates
          </LinkButton>
        </div>
        <div className={layout.columns}>
          <About candidate={candidate} canWrite={canWrite} />
          <div className={layout.panels}>
            <Facts candidate={candidate} />
          </div>
        </div>
      </div>
    </>
  )
}

type Acts = { crawl: Submit; convert: Submit; trash: () => void }

function useActs(candidate: Candidate): Acts {
  const navigate = useNavigate()
  const { history } = useRouter()
  const go = (path: string) => history.push(path)
  return {
    crawl: useSubmit(() => crawlAgain(candidate, go)),
    convert: useSubmit(() => convert(candidate, go)),
    trash: () => void trashMany([candidate]).then(done => done && void navigate({ to: paths.candidates })),
  }
}

/** A candidate whose lead is in the trash or deleted can be converted again. */
function useIsLead({ lead_id }: Candidate): boolean {
  const lead = useQuery({ ...leads.query(lead_id ?? ''), enabled: lead_id !== null })
  return lead_id !== null && !lead.data?.deleted_at && !isProblem(lead.error, 404)
}

type ActionsProps = { candidate: Candidate; isLead: boolean; acts: Acts | undefined }

function Actions({ candidate, isLead, acts }: ActionsProps) {
  const underWay = isUnderWay(candidate)
  const crawl = candidate.crawled_at === null ? 'Try again' : 'Crawl again'
  return (
    <>
      {acts && (
        <ActionIcon variant="default" aria-label="Move to trash" onClick={acts.trash}>
          <IconTrash size={16} />
        </ActionIcon>
      )}
      {acts && !(underWay && candidate.crawled_at === null) && (
        <>
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} />}
            loading={acts.crawl.busy}
            disabled={underWay}
            onClick={acts.crawl.submit}
            visibleFrom="sm"
          >
            {crawl}
          </Button>
          <ActionIcon
            variant="default"
            aria-label={crawl}
            loading={acts.crawl.busy}
            disabled={underWay}
            onClick={acts.crawl.submit}
            hiddenFrom="sm"
          >
            <IconRefresh size={16} />
          </ActionIcon>
        </>
      )}
      {acts && !isLead && isKnown(candidate) && (
        <Button
          leftSection={<IconUserPlus size={16} />}
          loading={acts.convert.busy}
          onClick={acts.convert.submit}
        >
          Convert to lead
        </Button>
      )}
      {isLead && candidate.lead_id && (
        <LinkButton to={patterns.lead} params={{ id: candidate.lead_id }} search={{}}>
          Open lead
        </LinkButton>
      )}
    </>
  )
}

function commandsFor(candidate: Candidate, isLead: boolean, acts: Acts): Command[] {
  const { trash } = acts
  const [crawl, convert] = [acts.crawl.submit, acts.convert.submit]
  const group = 'This page'
  return [
    ...(!isLead && isKnown(candidate)
      ? [{ id: 'convert', group, label: 'Convert to lead', words: 'make create', run: convert } as const]
      : []),
    ...(isUnderWay(candidate)
      ? []
      : [
          { id: 'crawl', group, label: 'Crawl again', words: 'read site refresh facts', run: crawl } as const,
        ]),
    { id: 'trash', group, label: 'Move candidate to trash', words: 'delete remove', run: trash },
  ]
}

function Trashed({ id }: { id: string }) {
  const canWrite = useCan('leads:write')
  const restore = () => candidates.restore(id)
  return (
    <InTrash noun="candidate" list={paths.candidates} restore={canWrite ? restore : undefined}>
      It will be deleted permanently after 30 days. Until then, its site is not crawled.
    </InTrash>
  )
}

function NoSuchCandidate() {
  return (
    <Empty
      whole
      icon={<IconWorldOff size={32} stroke={1.4} />}
      title="Candidate not found"
      action={<LinkButton to={paths.candidates}>Back to candidates</LinkButton>}
    >
      It may have been deleted, or it belongs to another team.
    </Empty>
  )
}

function Waiting() {
  return (
    <>
      <PageHead title="Candidate" />
      <div className={pageClasses.scroll} aria-busy role="status" aria-label="Loading candidate">
        <div className={pageClasses.bar} />
        <div className={layout.columns}>
          <div className={fieldClasses.panel}>
            {Array.from({ length: 8 }, (_, row) => (
              <div key={row} className={fieldClasses.row}>
                <Bar width={`${40 + ((row * 17) % 40)}%`} />
              </div>
            ))}
          </div>
          <div className={layout.panels}>
            <Bar width="100%" height={160} />
            <Bar width="100%" height={120} />
          </div>
        </div>
      </div>
    </>
  )
}
