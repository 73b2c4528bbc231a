export function DashboardPage(_props: object) { return null; }
