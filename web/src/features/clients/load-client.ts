import { apiUtils } from "../../core/api.ts";

/** What a client's page needs at once, and what its overview shows, which may come a little later. */
export function loadClient(id: string): Promise<unknown> {
  const cases = apiUtils.cases.ofClient.ensureData({ id });
  void apiUtils.timeline.list.prefetch({ clientId: id });
  void apiUtils.tasks.list.prefetch({ clientId: id });
  void apiUtils.tasks.nextOfClients.prefetch({ clientIds: [id] });
  const whole = Promise.all([apiUtils.clients.get.ensureData({ id }), cases]);
  whole.then(
    ([
      ,
      {
        items: [latest],
      },
    ]) => latest && loadRecords(latest.id),
    () => undefined,
  );
  return whole;
}

function loadRecords(caseId: string): void {
  void apiUtils.certificates.list.prefetch({ caseId });
  void apiUtils.assessments.list.prefetch({ caseId });
}
