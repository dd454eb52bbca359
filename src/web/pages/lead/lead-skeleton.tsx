import { PageHead } from '../../ui/page-head.tsx'
import { Bar } from '../../ui/states.tsx'
import pageClasses from '../../ui/page.module.css'
import panelColumnsClasses from '../../ui/panel-columns.module.css'
import fieldClasses from '../../ui/value-rows.module.css'

export function LeadSkeleton() {
  return (
    <>
      <PageHead title="Lead" />
      <div className={pageClasses.scroll} aria-busy role="status" aria-label="Loading lead">
        <div className={pageClasses.bar}>
          <Bar width="60%" height={28} />
        </div>
        <div className={panelColumnsClasses.columns}>
          <div className={fieldClasses.panel}>
            {Array.from({ length: 14 }, (_, row) => (
              <div key={row} className={fieldClasses.row}>
                <Bar width={70} />
                <Bar width={`${40 + ((row * 17) % 40)}%`} />
              </div>
            ))}
          </div>
          <div className={panelColumnsClasses.panels}>
            <Bar width="100%" height={78} />
          </div>
        </div>
      </div>
    </>
  )
}
