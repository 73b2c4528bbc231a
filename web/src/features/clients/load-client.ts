import { apiUtils } from "../../core/api.ts";

/** What a client's page needs at once, and what its overview shows, which may come a little later. */
export function loadClient(id: string): Promise<unknown> {
  const cases = apiUtils.cases.ofClient.prefetch({ id });
  void apiUtils.timeline.list.prefetch({ clientId: id });
  void apiUtils.tasks.list.prefetch({ clientId: id });
  void apiUtils.tasks.nextOfClients.prefetch({ clientIds: [id] });
  void cases.then(() => {
    const [latest] = apiUtils.cases.ofClient.getData({ id })?.items ?? [];
    if (!latest) return undefined;
    const { id: caseId } = latest;
    return Promise.all([
      apiUtils.certificates.list.prefetch({ caseId }),
      apiUtils.assessments.list.prefetch({ caseId }),
    ]);
  });
  return Promise.all([apiUtils.clients.get.prefetch({ id }), cases]);
}
