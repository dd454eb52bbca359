/** Facts about the installation as a whole: nothing of a team is in them. */
export const TABLES_OF_NO_TEAM = [
  'crawl_hosts',
  'database_logins',
  'installation',
  'mailbox_places',
  'personal_tables',
  'rate_windows',
  'schedule_runs',
  'schedules',
  'schema_migrations',
  'table_places',
]
