import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { paths, patterns } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { money, moneyList } from '../../ui/money.ts'
import { Panel, PanelAdd, PanelLine, PanelNote, PanelRecords } from '../../ui/panel.tsx'
import type { ListSearch } from '../../ui/record-list/search.ts'
import { dateInWords } from '../../ui/time.tsx'
import { count } from '../../ui/words.ts'
import { DealStage } from './deal-stage.tsx'
import { opportunityList, sumsQuery } from './list-cache.ts'
import { openNewOpportunity } from './open-new-opportunity.ts'
import { totalsOf } from './sums.ts'

const SHOWN_MAX = 6

type Of = { lead_id: string } | { account_id: string }

/** The deals of a lead or an account, and the total of the open ones. */
export function DealPanel({ of: whose }: { of: Of }) {
  const canWrite = useCan('leads:write')
  const of: ListSearch = Object.fromEntries(Object.entries(whose).map(([name, id]) => [name, [id]]))
  const { data: list, isError } = useQuery(opportunityList.listQuery(of))
  const sums = useQuery(sumsQuery(of)).data
  const open = sums && totalsOf(sums).open
  return (
    <Panel
      title="Opportunities"
      beside={open && open.sums.length > 0 && `${moneyList(open.sums)} open`}
      action={canWrite && <PanelAdd label="New opportunity" run={() => openNewOpportunity(whose)} />}
    >
      <PanelRecords what="opportunities" records={list?.first.slice(0, SHOWN_MAX)} isError={isError}>
        {({ id, name, amount, currency, close_date, stage }) => (
          <PanelLine
            key={id}
            // On a lead page there is no room for it.
            about={'account_id' in whose && close_date && `closes ${dateInWords(close_date)}`}
            mark={
              <>
                {amount && <span>{money(amount, currency)}</span>}
                <DealStage stage={String(stage)} />
              </>
            }
          >
            <Link to={patterns.opportunity} params={{ id }} title={name}>
              {name}
            </Link>
          </PanelLine>
        )}
      </PanelRecords>
      {list && list.count > SHOWN_MAX && (
        <PanelNote>
          <Link to={paths.opportunities} search={of}>
            Show all {count(list.count)}
          </Link>
        </PanelNote>
      )}
    </Panel>
  )
}
